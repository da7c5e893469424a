import type { IncomingMessage } from 'node:http';

import { listen } from '@bellhop/http';
import { parseJson, stringifyJson } from '@bellhop/protocol';

import { startTestChat, type TestChatOptions } from '../../test-chat.fixture.ts';

export interface ScriptedResponse {
  readonly status: number;
  readonly body: object | string;
}
/** A response, or what makes one of the fields of a request. */
type Script = Record<
  string,
  ScriptedResponse | ((fields: BouncerRequest['fields']) => Promise<ScriptedResponse>) | undefined
>;
interface BouncerRequest {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
}

export const success = (result: object = {}): ScriptedResponse => ({
  status: 200,
  body: { result: 'success', msg: '', ...result },
});
export const failure = (status: number, code: string, extra: object = {}): ScriptedResponse => ({
  status,
  body: { result: 'error', msg: `error ${code}`, code, ...extra },
});

const PREFIX = '/api/v1/remotes';
const orgKey = 'k'.repeat(64);

/** Starts a chat server with a bouncer that sends the given response by path. Announcements succeed. */
export async function startScriptedBouncer(
  responses: Script = {},
  env: Record<string, string> = {},
  options: Pick<TestChatOptions, 'now' | 'config'> = {},
) {
  const requests: BouncerRequest[] = [];
  const script: Script = {
    '/server/analytics': success({ realms: {} }),
    ...responses,
  };
  const listening = await listen((request, response) => {
    const [path = ''] = (request.url ?? '').replace(PREFIX, '').split('?');
    void fieldsOf(request).then(async (fields) => {
      requests.push({ path, authorization: request.headers.authorization, fields });
      const scripted = script[path] ?? failure(404, 'NOT_FOUND');
      const { status, body } = typeof scripted === 'function' ? await scripted(fields) : scripted;
      response.writeHead(status).end(typeof body === 'string' ? body : stringifyJson(body));
    });
  });
  const chat = await startTestChat({
    ...options,
    env: {
      BELLHOP_BOUNCER_URL: listening.url,
      BELLHOP_BOUNCER_ORG_ID: '6f1b34d2-04b7-4a0c-a9ab-5b4ed0b1dd8b',
      BELLHOP_BOUNCER_ORG_KEY: orgKey,
      ...env,
    },
  });
  return {
    chat,
    script,
    orgKey,
    requestsTo: (path: string) => requests.filter((request) => request.path === path),
    /** The IDs of the devices that the server has removed. */
    removed: () =>
      requests.flatMap(({ path }) => /^\/v1\/.*\/devices\/(\d+)$/.exec(path)?.[1] ?? []),
    async [Symbol.asyncDispose]() {
      await chat[Symbol.asyncDispose]();
      await listening.stop(0);
    },
  };
}

async function fieldsOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return request.headers['content-type'] === 'application/json'
    ? (parseJson(text) as Record<string, unknown>)
    : Object.fromEntries(new URLSearchParams(text));
}
