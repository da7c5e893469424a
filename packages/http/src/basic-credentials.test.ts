import { afterAll, beforeAll, expect, test } from 'vitest';

import { serveThings } from './serve-things.ts';

let server: Awaited<ReturnType<typeof serveThings>>;
beforeAll(async () => {
  server = await serveThings();
});
afterAll(() => server.stop(0));

const mine = (authorization?: string) =>
  server.ask('/things/mine', { headers: authorization === undefined ? {} : { authorization } });
const encoded = (text: string) => Buffer.from(text).toString('base64');

test.each([
  [`Basic ${encoded('a@x.com:key')}`, 'a@x.com'],
  [`basic  ${encoded(' a@x.com : k:ey ')}`, 'a@x.com'],
  [`BASIC ${encoded('ü@x.com:')}`, 'ü@x.com'],
])('credentials are read, white space around them dropped: %s', async (header, name) => {
  expect(await mine(header)).toMatchObject({ status: 200, body: { caller: name } });
});

test.each([
  undefined,
  'Basic',
  'Basic !!!',
  `Basic ${encoded('no colon')}`,
  `Basic ${encoded(':key')}`,
])('missing or garbled credentials are challenged: %s', async (header) => {
  const { status, headers, body } = await mine(header);
  expect([status, body['code']]).toEqual([401, 'UNAUTHORIZED']);
  expect(headers.get('www-authenticate')).toMatch(/^Basic realm=".+"$/);
});

test('another scheme is a bad request', async () => {
  const { status, headers, body } = await mine('Bearer abc');
  expect([status, body['code']]).toEqual([400, 'BAD_REQUEST']);
  expect(headers.get('www-authenticate')).toBeNull();
});
