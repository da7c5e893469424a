import type { IncomingMessage } from 'node:http';

import { listen } from '@bellhop/http';
import { parseJson, stringifyJson } from '@bellhop/protocol';

import { startTestChat } from '../../test-chat.fixture.ts';

export interface Scripted {
  readonly status: number;
  readonly body: object | string;
}
interface Asked {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
}

export const success = (result: object = {}): Scripted => ({
  status: 200,
  body: { result: 'success', msg: '', ...result },
});
export const failure = (status: number, code: string, extra: object = {}): Scripted => ({
  status,
  body: { result: 'error', msg: `said ${code}`, code, ...extra },
});

const PREFIX = '/api/v1/remotes';
const orgKey = 'k'.repeat(64);

/** A chat server whose bouncer answers whatever a test says, by path; announcements succeed. */
export async function startScriptedBouncer(
  answers: Record<string, Scripted | undefined> = {},
  env: Record<string, string> = {},
) {
  const asked: Asked[] = [];
  const script: Record<string, Scripted | undefined> = {
    '/server/analytics': success({ realms: {} }),
    ...answers,
  };
  const listening = await listen((request, response) => {
    const path = request.url?.slice(PREFIX.length) ?? '';
    void fieldsOf(request).then((fields) => {
      asked.push({ path, authorization: request.headers.authorization, fields });
      const { status, body } = script[path] ?? failure(404, 'NOT_FOUND');
      response.writeHead(status).end(typeof body === 'string' ? body : stringifyJson(body));
    });
  });
  const chat = await startTestChat({
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
    askedFor: (path: string) => asked.filter((one) => one.path === path),
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
