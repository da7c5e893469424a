import { api, type Endpoint, type ErrorCode, splitRoute } from '@bellhop/protocol';
import type { Sample } from '@bellhop/server/contract-fixtures';
import type { TestChat } from '@bellhop/server/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type ChatCallers, startChatWithCallers } from './support/chat-callers.ts';
import { decodingError } from './support/decoding-error.ts';
import { expectDocumentedResponse, expectError } from './support/expect-response.ts';
import { jsonTypes } from './support/json-types.ts';
import { type RawResponse, requestOf, responseOf, sendRequest } from './support/raw-request.ts';
import { requiredOf, sampleOf, SpareSample } from './support/sample-parameters.ts';

const endpoints: Endpoint[] = Object.values(api).flatMap((resource) => Object.values(resource));
const byRoute = endpoints.map((endpoint) => [endpoint.route, endpoint] as const);
/** The errors of endpoints that always fail on a server without a push bouncer. */
const unavailable: Readonly<Record<string, ErrorCode>> = {
  'POST /mobile_push/register': 'PUSH_SERVICE_NOT_CONFIGURED',
  'POST /mobile_push/e2ee/test_notification': 'PUSH_SERVICE_NOT_CONFIGURED',
  'GET /mobile_push/traces/bouncer': 'PUSH_SERVICE_NOT_CONFIGURED',
  // The bot of these tests is no outgoing webhook.
  'POST /bots/me/endpoint/verify': 'BAD_REQUEST',
};

let chat: TestChat;
let callers: ChatCallers;

beforeAll(async () => {
  // An endpoint that needs two connections at once fails.
  ({ chat, callers } = await startChatWithCallers({ maxConnections: 1 }));
});
afterAll(async () => {
  const failures = chat
    .logged()
    .split('\n')
    .filter((line) => line.includes('request failed'));
  await chat[Symbol.asyncDispose]();
  expect(failures).toEqual([]);
});

/** The credentials of the owner of the chat, or of a bot for an endpoint that only bots may call. */
const callerOf = ({ access }: Endpoint) =>
  callers[access === 'bot' ? 'a bot' : 'the owner'].credentials;
const asOwner = (endpoint: Endpoint, sample: Sample) =>
  sendRequest(chat.url, { ...requestOf(endpoint, sample), credentials: callerOf(endpoint) });

const spare = new SpareSample((endpoint) => sampleOf(endpoint, chat));

/**
 * Answers to requests that differ in one parameter. The decoder of the server refuses most of their
 * values: the first of these is sent, and its answer compared; the others are only decoded.
 */
function answersWith(endpoint: Endpoint, name: string): (value: string) => Promise<RawResponse> {
  let sample: Sample | undefined;
  let isRefusalSent = false;
  return async (value) => {
    sample ??= await spare.of(endpoint);
    const params = { ...sample, [name]: value };
    const refusal = decodingError(endpoint, params);
    if (refusal && isRefusalSent) return responseOf(refusal);
    const answer = await asOwner(endpoint, params);
    spare.answered(endpoint, answer);
    if (refusal) {
      const { status, body } = responseOf(refusal);
      expect(answer, `${name}=${value}`).toMatchObject({ status, body });
      isRefusalSent = true;
    }
    return answer;
  };
}

describe('parameters', () => {
  test.each(byRoute)(
    '%s succeeds with its sample parameters and reports unknown ones',
    async (route, endpoint) => {
      const sample = await sampleOf(endpoint, chat);
      const unused = endpoint.unused(sample).filter((name) => name in sample);
      const answer = await asOwner(endpoint, sample);
      expectDocumentedResponse(endpoint, answer);
      if (unavailable[route]) return expectError(answer, unavailable[route]);
      expect(answer.body, `${route} has no sample that succeeds`).toMatchObject({
        result: 'success',
        msg: '',
      });
      expect(answer.body['ignored_parameters_unsupported'] ?? []).toEqual(unused);
      const again = { ...(await sampleOf(endpoint, chat)), no_such_parameter: '1' };
      expect((await asOwner(endpoint, again)).body['ignored_parameters_unsupported']).toEqual([
        ...unused,
        'no_such_parameter',
      ]);
    },
  );

  const missing = endpoints.flatMap((endpoint) =>
    requiredOf(endpoint)
      .filter((name) => !endpoint.route.includes(`{${name}}`))
      .map((name) => [endpoint.route, name, endpoint] as const),
  );
  test.each(missing)('%s without %s is refused', async (_route, name, endpoint) => {
    const { [name]: _left, ...sample } = await spare.of(endpoint);
    const answer = await asOwner(endpoint, sample);
    expectDocumentedResponse(endpoint, answer);
    expectError(answer, 'REQUEST_VARIABLE_MISSING');
    expect(answer.body).toMatchObject({ var_name: name });
  });

  const all = endpoints.flatMap((endpoint) => {
    const meaningless = endpoint.meaningless({});
    return Object.keys(endpoint.params.shape)
      .filter((name) => !meaningless.includes(name))
      .map((name) => [endpoint.route, name, endpoint] as const);
  });
  test.each(all)(
    '%s with %s of another type gets a documented answer',
    async (_route, name, endpoint) => {
      const answerTo = answersWith(endpoint, name);
      const types = jsonTypes(endpoint, name);
      const inPath = endpoint.route.includes(`{${name}}`);
      const odd = [
        '{not json',
        '{"odd":{}}',
        '[[[]]]',
        'null',
        '-1.5',
        '9'.repeat(30),
        '',
        '"',
      ].concat(types.has('string') ? [] : ['plain text']);
      for (const text of odd) {
        // An empty path variable addresses another route.
        if (text === '' && inPath) continue;
        const answer = await answerTo(text);
        expectDocumentedResponse(endpoint, answer, `${name}=${text}`);
        if (text === '{not json' && !types.has('string')) {
          expect(answer.status, `${name}=${text}`).toBe(400);
          expect(answer.body, `${name}=${text}`).toMatchObject({ var_name: name });
        }
      }
      const deep = await answerTo('['.repeat(50) + ']'.repeat(50));
      expectDocumentedResponse(endpoint, deep, 'a deep value');
      expect(deep.status === 400 || types.has('string'), 'a deep value').toBe(true);
    },
  );

  const integers = all.filter(([, name, endpoint]) => jsonTypes(endpoint, name).has('integer'));
  test.each(integers)(
    '%s with the integer %s at the ends of 32 and 53 bits gets a documented answer',
    async (_route, name, endpoint) => {
      const answerTo = answersWith(endpoint, name);
      for (const number of [2 ** 31 - 1, 2 ** 31, Number.MAX_SAFE_INTEGER])
        for (const text of [String(number), String(-number - 1)]) {
          const answer = await answerTo(text);
          expectDocumentedResponse(endpoint, answer, `${name}=${text}`);
          expect(answer.status, `${name}=${text}`).toBeLessThan(500);
        }
    },
  );

  test.each(all)(
    '%s with text that cannot be stored in %s is refused',
    async (_, name, endpoint) => {
      const answerTo = answersWith(endpoint, name);
      const unstorable = ['a\0b', '"a\\u0000b"', '["a\\u0000b"]', '"\\ud800"', '{"a":"\\ud800"}'];
      for (const text of unstorable) {
        if (text.includes('\\') && [...jsonTypes(endpoint, name)].join() === 'string') continue;
        const answer = await answerTo(text);
        expectDocumentedResponse(endpoint, answer, JSON.stringify(text));
        expectError(answer, 'BAD_REQUEST', text);
        expect(answer.body).toMatchObject({ var_name: name });
      }
    },
  );
});

describe('methods', () => {
  const paths = Map.groupBy(endpoints, ({ route }) => splitRoute(route)[1]);

  test.each([...paths])(
    'a request to %s with an undeclared method is refused with 405',
    async (path, there) => {
      const methods = there.map(({ route }) => splitRoute(route)[0]);
      const concrete = path.replaceAll(/\{\w+\}/g, '1');
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'TRACE', 'PROPFIND']) {
        if (methods.includes(method) || (method === 'HEAD' && methods.includes('GET'))) continue;
        const { status, body, text, headers } = await sendRequest(chat.url, {
          method,
          path: concrete,
          credentials: callers['the owner'].credentials,
        });
        expect(status, method).toBe(405);
        expect(headers['allow'], method).toContain(methods[0]);
        if (method === 'HEAD') expect(text).toBe('');
        else
          expect(body).toEqual({
            result: 'error',
            msg: expect.stringContaining('Method not allowed'),
            code: 'METHOD_NOT_ALLOWED',
            allowed_methods: methods,
          });
      }
      const options = await sendRequest(chat.url, { method: 'OPTIONS', path: concrete });
      expect(options).toMatchObject({ status: 204, text: '' });
      expect(options.headers['allow']?.toString().split(', ')).toEqual(
        expect.arrayContaining([...methods, 'OPTIONS']),
      );
      const get = there.find(({ route }) => route.startsWith('GET '));
      if (!get) return;
      const request = { ...requestOf(get, await sampleOf(get, chat)), credentials: callerOf(get) };
      const head = await sendRequest(chat.url, { ...request, method: 'HEAD' });
      const full = await sendRequest(chat.url, request);
      expect(head).toMatchObject({ status: full.status, text: '' });
      expect(head.headers['content-type']).toBe(full.headers['content-type']);
    },
  );

  test.each(['/nowhere', '/users/me/nowhere', '/', '/messages/1/2/3', '/%zz', '/..%2f..%2fetc'])(
    'a request to %s is answered with NOT_FOUND',
    async (path) => {
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        const { status, body } = await sendRequest(chat.url, {
          method,
          path,
          credentials: callers['the owner'].credentials,
        });
        expect([status, body['code']]).toEqual([404, 'NOT_FOUND']);
      }
    },
  );
});
