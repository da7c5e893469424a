import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestService } from './test-service.fixture.ts';

let server: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  server = await startTestService();
});
afterAll(() => server.stop(0));

const mine = (authorization?: string) =>
  server.ask('/things/mine', { headers: authorization === undefined ? {} : { authorization } });
const encoded = (text: string) => Buffer.from(text).toString('base64');

test.each([
  [`Basic ${encoded('a@x.com:key')}`, 'a@x.com'],
  [`basic  ${encoded(' a@x.com : k:ey ')}`, 'a@x.com'],
  [`BASIC ${encoded('ü@x.com:')}`, 'ü@x.com'],
])('basicCredentials reads and trims %s', async (header, name) => {
  expect(await mine(header)).toMatchObject({ status: 200, body: { caller: name } });
});

test.each([
  undefined,
  'Basic',
  'Basic !!!',
  `Basic ${encoded('no colon')}`,
  `Basic ${encoded(':key')}`,
])('the missing or malformed header %s is answered 401 with a challenge', async (header) => {
  const { status, headers, body } = await mine(header);
  expect([status, body['code']]).toEqual([401, 'UNAUTHORIZED']);
  expect(headers.get('www-authenticate')).toMatch(/^Basic realm=".+"$/);
});

test('credentials that are not UTF-8 are answered 401, which says so', async () => {
  const { status, body } = await mine(
    `Basic ${Buffer.from('\xfc@x.com:key', 'latin1').toString('base64')}`,
  );
  expect([status, body['code']]).toEqual([401, 'UNAUTHORIZED']);
  expect(body['msg']).toMatch(/not valid UTF-8/);
});

test('a scheme other than Basic is rejected with BAD_REQUEST', async () => {
  const { status, headers, body } = await mine('Bearer abc');
  expect([status, body['code']]).toEqual([400, 'BAD_REQUEST']);
  expect(headers.get('www-authenticate')).toBeNull();
});
