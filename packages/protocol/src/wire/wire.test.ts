import { expect, test } from 'vitest';
import { z } from 'zod';

import { api } from '../api/api.ts';
import { bouncerOperator } from '../bouncer/bouncer-operator.ts';
import { bouncer } from '../bouncer/bouncer.ts';
import { NEWEST_ANCHOR } from '../chat/messages/anchor.ts';
import { parseJson } from '../values/json.ts';
import { endpoint } from './endpoint.ts';
import { decodeParams, encodeParams } from './wire.ts';

const { devices, messages, queues } = api;

const decode = (
  operation: Parameters<typeof decodeParams>[0],
  fields: Record<string, string>,
  path: Record<string, string> = {},
) => decodeParams(operation, { fields, path });
const refusal = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
};

test('string parameters are read as they are, others as JSON, and defaults are filled in', () => {
  const { params } = decode(messages.fetch, {
    anchor: 'newest',
    num_before: '5',
    narrow: '[["stream","a b"]]',
  });
  expect(params).toMatchObject({
    anchor: 'newest',
    num_before: 5,
    num_after: 0,
    apply_markdown: true,
    narrow: [{ operator: 'stream', operand: 'a b', negated: false }],
  });
});

test('null is the value of a nullable parameter and leaves out an optional one', () => {
  expect(decode(queues.register, { event_types: 'null' }).params).toMatchObject({
    event_types: null,
  });
  const { params } = decode(messages.send, {
    type: 'stream',
    to: 'a',
    content: 'null',
    read_by_sender: ' null ',
  });
  expect(params).toEqual({ type: 'channel', to: 'a', content: 'null' });
  for (const push_account_id of ['null', ' null'])
    expect(decode(devices.testNotification, { push_account_id }).params).toEqual({});
});

test('null is refused for a required parameter and for one with a default', () => {
  for (const apply_markdown of ['null', ' null '])
    expect(refusal(() => decode(queues.register, { apply_markdown }))).toMatchObject({
      code: 'BAD_REQUEST',
      data: { var_name: 'apply_markdown' },
    });
  expect(refusal(() => decode(messages.send, { type: 'direct', to: 'null' }))).toMatchObject({
    code: 'BAD_REQUEST',
    data: { var_name: 'to' },
  });
});

test.each([
  ['general', 'general'],
  ['"general"', 'general'],
  ['12', 12],
  ['["a@x.com"]', ['a@x.com']],
  ['[1,2]', [1, 2]],
  ['a@x.com, b@x.com', 'a@x.com, b@x.com'],
  ['true story', 'true story'],
  ['nullify', 'nullify'],
  ['3 wishes', '3 wishes'],
  ['-- [draft]', '-- [draft]'],
  [' "general" ', 'general'],
  [' 12', 12],
])('a recipient may be bare or JSON: %s', (text, expected) => {
  expect(decode(messages.send, { type: 'stream', to: text, content: 'x' }).params['to']).toEqual(
    expected,
  );
});

test('an alias is read as its parameter; both in one request are refused', () => {
  expect(
    decode(messages.send, { type: 'stream', to: 'a', subject: ' t ', content: 'x' }).params,
  ).toMatchObject({
    topic: 't',
    type: 'channel',
  });
  expect(
    refusal(() =>
      decode(messages.send, { type: 'stream', to: 'a', subject: 't', topic: 't', content: 'x' }),
    ),
  ).toMatchObject({
    code: 'REQUEST_CONFUSING_VAR',
    data: { var_name1: 'subject', var_name2: 'topic' },
  });
});

test('both names of the empty topic are read as the empty string, in any letter case', () => {
  for (const topic of ['', '(no topic)', '(No topic)', 'general chat', 'General Chat', '  '])
    expect(
      decode(messages.send, { type: 'stream', to: 'a', topic, content: 'x' }).params['topic'],
    ).toBe('');
});

test('REQUEST_VARIABLE_MISSING names the missing parameter', () => {
  expect(refusal(() => decode(messages.send, { type: 'stream', to: 'a' }))).toMatchObject({
    code: 'REQUEST_VARIABLE_MISSING',
    status: 400,
    data: { var_name: 'content' },
  });
});

test('invalid JSON gives BAD_REQUEST, a value of the wrong type BAD_REQUEST with its path', () => {
  expect(refusal(() => decode(messages.fetch, { num_before: 'many' }))).toMatchObject({
    code: 'BAD_REQUEST',
    message: 'num_before is not valid JSON',
    data: { var_name: 'num_before' },
  });
  const wrong = refusal(() => decode(queues.register, { event_types: '["message", 5]' })) as Error;
  expect(wrong).toMatchObject({ code: 'BAD_REQUEST', data: { var_name: 'event_types' } });
  expect(wrong.message).toMatch(/^event_types\[1\]: /);
});

test('an integer outside the safe range is refused, and the error names the range', () => {
  const ask = { messages: '[1, 9007199254740993]', op: 'add', flag: 'read' };
  expect(refusal(() => decode(messages.setFlag, ask))).toMatchObject({
    code: 'BAD_REQUEST',
    message: 'messages[1]: expected a number between -9007199254740991 and 9007199254740991',
  });
});

test('unknown parameters and path variables sent as fields are reported as ignored', () => {
  expect(
    decode(messages.fetchOne, { message_id: '7', nonsense: '1' }, { message_id: '7' }),
  ).toMatchObject({
    params: { message_id: 7 },
    ignored: ['message_id', 'nonsense'],
  });
});

test('parameters named like members of Object.prototype are reported as ignored', () => {
  expect(
    decode(messages.fetchOne, { constructor: '1', toString: '1' }, { message_id: '7' }).ignored,
  ).toEqual(['constructor', 'toString']);
});

test.each(['1.5', '"1"', '[]', 'true', '9223372036854775808', '-9223372036854775809'])(
  'the push_account_id %s is refused: it is no integer of 64 bits',
  (push_account_id) => {
    expect(() => decode(devices.testNotification, { push_account_id })).toThrow(
      'push_account_id: expected an integer from -9223372036854775808 to 9223372036854775807',
    );
  },
);

test('a 64-bit push_account_id is read and written exactly', () => {
  const id = -9_223_372_036_854_775_808n;
  const { fields } = encodeParams(devices.testNotification, '/x', { push_account_id: id });
  expect(fields).toEqual([['push_account_id', '-9223372036854775808']]);
  expect(decode(devices.testNotification, Object.fromEntries(fields)).params).toEqual({
    push_account_id: id,
  });
});

test('JSON nested deeper than 20 levels is refused before it is parsed', () => {
  const deep = '['.repeat(100_000);
  expect(refusal(() => decode(messages.fetch, { narrow: deep }))).toMatchObject({
    code: 'BAD_REQUEST',
  });
});

const everything = endpoint('PATCH /things/{thing}', {
  summary: 'Everything',
  access: 'user',
  params: {
    thing: z.string(),
    text: z.string(),
    number: z.number(),
    flag: z.boolean(),
    either: z.union([z.string(), z.int()]),
    nothing: z.string().array().nullable(),
    choice: z.enum(['a', 'b']).optional(),
  },
});

test('decodeParams reverses encodeParams, also for text that looks like JSON', () => {
  const params = {
    thing: 'a/b c',
    text: '[1]',
    number: 1.5,
    flag: false,
    either: '12',
    nothing: null,
  };
  const { path, fields } = encodeParams(everything, '/things/{thing}', params);
  expect(path).toBe('/things/a%2Fb%20c');
  expect(decode(everything, Object.fromEntries(fields), { thing: 'a/b c' }).params).toEqual(params);
});

test('the newest anchor, wider than a safe integer, is read as a number', () => {
  const { params } = decode(messages.fetch, { anchor: '10000000000000000' });
  expect(params['anchor']).toBe(NEWEST_ANCHOR);
  const answer = { messages: [], anchor: parseJson('10000000000000000'), found_anchor: false };
  const flags = { found_oldest: true, found_newest: true, history_limited: false };
  expect(messages.fetch.result.parse({ ...answer, ...flags }).anchor).toBe(NEWEST_ANCHOR);
});

test.each([
  [{ content: 'a\0b' }, 'content'],
  [{ to: String.raw`"a\u0000"` }, 'to'],
  [{ to: String.raw`"\\\u0000"` }, 'to'],
  [{ to: String.raw`"a\ud800"` }, 'to'],
  [{ to: String.raw`["a", "\udc00\ud800"]` }, 'to'],
])('null bytes and unpaired surrogates are refused, raw and escaped: %j', (bad, var_name) => {
  const fields = { type: 'stream', to: 'a', content: 'x', ...bad };
  expect(refusal(() => decode(messages.send, fields))).toMatchObject({
    code: 'BAD_REQUEST',
    data: { var_name },
  });
});

test('an escaped backslash before u0000 is no null byte', () => {
  const fields = { type: 'stream', to: String.raw`"\\u0000"`, content: String.raw`\u0000` };
  expect(decode(messages.send, fields).params).toMatchObject({
    to: String.raw`\u0000`,
    content: String.raw`\u0000`,
  });
});

test.each([[String.raw`{"__proto__": "1"}`], [String.raw`{"a": "1", "\u005f_proto__": "2"}`]])(
  'the key __proto__ is refused in JSON, also escaped: %s',
  (storage) => {
    expect(refusal(() => decode(api.botStorage.put, { storage }))).toMatchObject({
      code: 'BAD_REQUEST',
      data: { var_name: 'storage' },
    });
  },
);

test('a pair of escaped surrogates is one character', () => {
  const fields = { type: 'stream', to: String.raw`"\ud83d\ude00"`, content: 'x' };
  expect(decode(messages.send, fields).params['to']).toBe('😀');
});

test('null bytes are refused in path variables, and removed from the announcements of a chat server', () => {
  const thing = { thing: 'a\0' };
  expect(refusal(() => decode(everything, {}, thing))).toMatchObject({ code: 'BAD_REQUEST' });
  const fields = { realm_counts: '[]', installation_counts: '[]', version: '1\0.0' };
  expect(decode(bouncer.servers.announce, fields).params['version']).toBe('1.0');
});

test('a parameter of the path cannot lead to another path', () => {
  const { show } = bouncerOperator.servers;
  const pathOf = (server: string) => encodeParams(show, '/servers/{server}', { server }).path;
  for (const server of ['', '.', '..'])
    expect(
      refusal(() => pathOf(server)),
      server,
    ).toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringMatching(/^server must not be (empty|"\.+")$/),
      data: { var_name: 'server' },
    });
  for (const server of ['../keys', '%2e%2e', 'a/../..', '...', './', '?', '#', '\\..\\'])
    expect(new URL(pathOf(server), 'http://x/v1/').pathname).toMatch(/^\/servers\/[^/]+$/);
});

test('an unused parameter is checked like others, decoded, and named among the ignored ones', () => {
  const operation = endpoint('POST /tokens', {
    summary: 'x',
    access: 'anyone',
    params: { token: z.string().min(1), count: z.int().optional() },
    aliases: { name: 'token' },
    unused: ({ count }) => (count === 2 ? ['token'] : []),
  });
  expect(decode(operation, { token: 'a', count: '2', odd: 'x' })).toEqual({
    params: { token: 'a', count: 2 },
    ignored: ['token', 'odd'],
  });
  expect(decode(operation, { name: 'a', count: '2' }).ignored).toEqual(['name']);
  expect(decode(operation, { token: 'a' }).ignored).toEqual([]);
  expect(refusal(() => decode(operation, { token: '' }))).toMatchObject({ code: 'BAD_REQUEST' });
  expect(refusal(() => decode(operation, {}))).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING' });
});
