import { request } from 'node:http';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestService } from './test-service.fixture.ts';

let server: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  server = await startTestService({ bodyLimit: 10_000 });
});
afterAll(() => server.stop(0));

const form = (fields: Record<string, string>) => new URLSearchParams(fields);
const urlEncoded = { 'content-type': 'application/x-www-form-urlencoded' };

test.each(['PATCH', 'DELETE'])('%s takes parameters from its query', async (method) => {
  const { body } = await server.ask('/things/7?text=a+b&number=5&list=%5B1%2C2%5D', { method });
  expect(body).toMatchObject({
    result: 'success',
    msg: '',
    params: { thing: '7', text: 'a b', number: 5, list: [1, 2] },
  });
});

test.each(['PATCH', 'DELETE'])('%s takes parameters from its body', async (method) => {
  const { body } = await server.ask('/things/7', {
    method,
    body: form({ text: 'é&=', list: 'null' }),
  });
  expect(body['params']).toEqual({ thing: '7', text: 'é&=', list: null });
});

test('a GET may have a body, whose parameters override the query', async () => {
  const text = await new Promise<string>((resolve, reject) => {
    const sent = request(
      `${server.url}/api/v1/things?text=query&number=1`,
      { method: 'GET', headers: { ...urlEncoded, 'content-length': 9 } },
      (response) => {
        let all = '';
        response.on('data', (chunk: Buffer) => (all += chunk.toString()));
        response.on('end', () => resolve(all));
      },
    );
    sent.on('error', reject);
    sent.end('text=body');
  });
  expect(JSON.parse(text)).toMatchObject({ params: { text: 'body', number: 1 } });
});

test('the last of a repeated parameter counts, and invalid percent-encodings are kept', async () => {
  const { body } = await server.ask('/things?text=1&text=%zz%&number=3');
  expect(body['params']).toEqual({ text: '%zz%', number: 3 });
});

test('a multipart form is read, and a file is reported as an ignored parameter', async () => {
  const body = new FormData();
  body.append('needed', 'ü\r\nline');
  body.append('list', '[1]');
  body.append('avatar', new Blob(['x'.repeat(1000)]), 'a.png');
  const answer = await server.ask('/things', { method: 'POST', body });
  expect(answer.body).toMatchObject({
    params: { needed: 'ü\r\nline', list: [1] },
    ignored_parameters_unsupported: ['avatar'],
  });
});

test.each([
  ['no boundary', 'multipart/form-data', 'x'],
  [
    'cut off in a file',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\nhalf',
  ],
  ['not multipart at all', 'multipart/form-data; boundary=b', 'needed=1'],
])('malformed multipart is a bad request: %s', async (_what, type, body) => {
  const answer = await server.ask('/things', {
    method: 'POST',
    headers: { 'content-type': type },
    body,
  });
  expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  expect(server.failures).toEqual([]);
});

test('a JSON body of a form operation is rejected, and the message says how to send parameters', async () => {
  const answer = await server.ask('/things', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"needed":"x"}',
  });
  expect(answer).toMatchObject({ status: 415, body: { code: 'BAD_REQUEST' } });
  expect(answer.body['msg']).toContain('form fields');
});

test.each(['{}', ' {}\n', 'null', ' '])(
  'a form operation takes its parameters from the query if the JSON body %j has none',
  async (body) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await server.ask('/things?needed=x', { method: 'POST', headers, body });
    expect(answer).toMatchObject({ status: 200, body: { params: { needed: 'x' } } });
  },
);

test('a JSON operation rejects anything but one object', async () => {
  const bulk = (body: string) => server.ask('/bulk', { method: 'POST', body });
  expect((await bulk('{"rows":[1,"a",{"b":null}],"more":1}')).body).toMatchObject({
    params: { rows: [1, 'a', { b: null }] },
    ignored_parameters_unsupported: ['more'],
  });
  for (const bad of ['{', '[]', 'null', '"x"'])
    expect(await bulk(bad)).toMatchObject({ status: 400, body: { code: 'INVALID_JSON' } });
  expect((await bulk('')).body).toMatchObject({
    code: 'REQUEST_VARIABLE_MISSING',
    var_name: 'rows',
  });
  const deep = `{"rows":${'['.repeat(30)}${']'.repeat(30)}}`;
  expect(await bulk(deep)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
});

test('parameters may have names of Object.prototype', async () => {
  const { body } = await server.ask('/things?__proto__=1&constructor=2', {});
  expect(body).toMatchObject({
    params: {},
    ignored_parameters_unsupported: ['__proto__', 'constructor'],
  });
});

test('more than 100 parameters are rejected in query, form and multipart', async () => {
  const names = Array.from({ length: 101 }, (_, at) => [`p${at}`, '1'] as [string, string]);
  const multipart = new FormData();
  for (const [name, value] of names) multipart.append(name, value);
  const answers = [
    await server.ask(`/things?${new URLSearchParams(names).toString()}`),
    await server.ask('/things/1', { method: 'PATCH', body: new URLSearchParams(names) }),
    await server.ask('/things/1', { method: 'PATCH', body: multipart }),
  ];
  for (const answer of answers)
    expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
});

test('a body beyond the limit is rejected with 413, with and without Content-Length', async () => {
  const text = `needed=${'x'.repeat(3_000_000)}`;
  const declared = await server.ask('/things', { method: 'POST', headers: urlEncoded, body: text });
  expect(declared).toMatchObject({
    status: 413,
    body: { result: 'error', code: 'PAYLOAD_TOO_LARGE' },
  });
  const chunked = await server.ask('/things', {
    method: 'POST',
    headers: urlEncoded,
    body: new Blob([text]).stream(),
    duplex: 'half',
  } as RequestInit);
  expect(chunked.status).toBe(413);
  const fits = `needed=${'x'.repeat(9_993)}`;
  expect(
    (await server.ask('/things', { method: 'POST', headers: urlEncoded, body: fits })).status,
  ).toBe(200);
  expect(server.failures).toEqual([]);
});
