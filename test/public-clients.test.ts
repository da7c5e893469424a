import { startTestChat, type TestChat } from '@bellhop/server/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { ClientCall, PythonValue } from './clients/client-call.ts';
import { pythonCalls } from './clients/python-calls.ts';
import { mobileRegistration, terminalRegistration } from './clients/registrations.ts';

let chat: TestChat;
let bot: { email: string; api_key: string };
beforeAll(async () => {
  chat = await startTestChat();
  const { desdemona } = chat.people;
  await desdemona.client.subscriptions.add({ subscriptions: [{ name: 'stage' }] });
  const made = await desdemona.client.bots.create({ full_name: 'Bot', short_name: 'keeper' });
  const { user } = await desdemona.client.users.get({ user_id: made.user_id });
  bot = { email: user.email, api_key: made.api_key };
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
  const { email, api_key } = call.as === 'bot' ? bot : chat.people.desdemona;
  const fields = fieldsOf(call.params ?? {});
  const inQuery = call.method === 'GET';
  const form = new FormData();
  if (call.file) form.set(call.file.name, new Blob([call.file.content]), call.file.name);
  const response = await fetch(
    `${chat.url}/api/v1${call.path}${inQuery ? `?${fields.toString()}` : ''}`,
    {
      method: call.method,
      headers: { authorization: `Basic ${btoa(`${email}:${api_key}`)}` },
      ...(inQuery ? {} : { body: call.file ? form : fields }),
    },
  );
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
