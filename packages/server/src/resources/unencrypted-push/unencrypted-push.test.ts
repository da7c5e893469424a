import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Person } from '../../test-chat.fixture.ts';
import { startScriptedBouncer } from '../devices/scripted-bouncer.fixture.ts';

const fcm = '/users/me/android_gcm_reg_id';
const apns = '/users/me/apns_device_token';

let stack: Awaited<ReturnType<typeof startScriptedBouncer>>;
beforeAll(async () => {
  stack = await startScriptedBouncer();
});
afterAll(() => stack[Symbol.asyncDispose]());

const ask = (person: Person | null, route: string, fields: Record<string, string>) =>
  stack.chat.ask(person, route, fields);
const success = { result: 'success', msg: '' };

describe('an app from before encrypted pushes', () => {
  test.each([
    ['an Android phone', fcm, { token: 'an-fcm:token_of-the-app' }],
    ['an iPhone', apns, { token: 'c0ffeeC0FFEE', appid: 'org.example.app' }],
  ])('on %s gets no error at its starts and its logout', async (_phone, path, fields) => {
    const { chat, requestsTo } = stack;
    const { hamlet } = chat.people;
    for (const _start of [1, 2])
      expect(await ask(hamlet, `POST ${path}`, fields)).toMatchObject({
        status: 200,
        body: { ...success, ignored_parameters_unsupported: Object.keys(fields) },
      });
    expect(chat.logged()).toContain('asked for pushes without encryption');
    expect(chat.logged()).not.toContain(fields.token);
    expect(requestsTo('/push/register')).toEqual([]);
    const devices = chat.server.app.db.kysely.selectFrom('push_device').selectAll();
    expect(await devices.execute()).toEqual([]);
    const { status, body } = await ask(hamlet, `DELETE ${path}`, { token: fields.token });
    expect([status, body]).toEqual([200, success]);
    expect(requestsTo('/push/unregister')).toEqual([]);
  });

  test.each([
    ['without a token', `POST ${fcm}`, {}, 'REQUEST_VARIABLE_MISSING'],
    ['with an empty token', `POST ${fcm}`, { token: '' }, 'BAD_REQUEST'],
    ['with a long token', `POST ${fcm}`, { token: 'x'.repeat(4097) }, 'BAD_REQUEST'],
    ['with half a byte', `POST ${apns}`, { token: 'c0f', appid: 'org.example' }, 'BAD_REQUEST'],
    ['with no digits', `POST ${apns}`, { token: 'coffee', appid: 'org.example' }, 'BAD_REQUEST'],
    ['with a path as app', `POST ${apns}`, { token: 'c0', appid: 'org/example' }, 'BAD_REQUEST'],
    ['without an app', `POST ${apns}`, { token: 'c0' }, 'REQUEST_VARIABLE_MISSING'],
    ['that removes no token', `DELETE ${apns}`, {}, 'REQUEST_VARIABLE_MISSING'],
    ['that removes half a byte', `DELETE ${apns}`, { token: 'c0f' }, 'BAD_REQUEST'],
  ])('%s is told its fault: %s', async (_fault, route, fields, code) => {
    const { status, body } = await ask(stack.chat.people.hamlet, route, fields);
    expect([status, body]).toMatchObject([400, { result: 'error', code }]);
  });
});
