import { startTestChat, type TestChat } from '@bellhop/server/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type ClientCall, pythonCalls, type PythonValue } from './clients/python-calls.ts';
import { mobileRegistration, terminalRegistration } from './clients/registrations.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

/** Encodes parameters as the Python client does: nulls are left out, all but texts are JSON. */
function fieldsOf(params: Readonly<Record<string, PythonValue>>): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== null) fields.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return fields;
}

async function request(call: ClientCall): Promise<Record<string, unknown>> {
  const { desdemona } = chat.people;
  const fields = fieldsOf(call.params ?? {});
  const inQuery = call.method === 'GET';
  const form = new FormData();
  if (call.file) form.set(call.file.name, new Blob([call.file.content]), call.file.name);
  const response = await fetch(`${chat.url}/api/v1${call.path}${inQuery ? `?${fields}` : ''}`, {
    method: call.method,
    headers: { authorization: `Basic ${btoa(`${desdemona.email}:${desdemona.api_key}`)}` },
    ...(inQuery ? {} : { body: call.file ? form : fields }),
  });
  return (await response.json()) as Record<string, unknown>;
}

const read = (answer: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], answer);

const missing = (answer: unknown, paths: readonly string[]) =>
  paths.filter((path) => read(answer, path) === undefined);

describe('the Python client', () => {
  test.each(Object.entries(pythonCalls))('%s succeeds', async (_name, makeCall) => {
    const call = await makeCall(chat);
    const answer = await request(call);
    expect(answer).toMatchObject({ result: 'success', msg: '' });
    expect(missing(answer, call.reads ?? [])).toEqual([]);
    expect(answer['ignored_parameters_unsupported'] ?? []).toEqual(call.ignored ?? []);
  });
});

describe('the initial state', () => {
  test.each(Object.entries({ terminal: terminalRegistration, mobile: mobileRegistration }))(
    'of a %s client has every key that the client reads',
    async (_name, { params, reads }) => {
      const answer = await request({ method: 'POST', path: '/register', params });
      expect(answer).toMatchObject({ result: 'success' });
      expect(missing(answer, reads)).toEqual([]);
    },
  );
});
