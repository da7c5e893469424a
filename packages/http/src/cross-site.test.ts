import { request } from 'node:http';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestService } from './test-service.fixture.ts';

let service: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  service = await startTestService({ ownOrigin: async () => 'https://chat.example.com' });
});
afterAll(() => service.stop(0));

type Headers = Readonly<Record<string, string>>;

/** Sends headers that fetch() would not let a caller choose. */
async function send(method: string, path: string, headers: Headers) {
  const { port } = service;
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const sent = request({ port, path: `/api/v1${path}`, method, headers: { ...type, ...headers } });
  const response = await new Promise<{ status: number; challenge: string | undefined }>(
    (resolve, reject) => {
      sent.once('error', reject);
      sent.once('response', (answer) => {
        answer.resume();
        const challenge = answer.headers['www-authenticate'];
        resolve({ status: answer.statusCode ?? 0, challenge });
      });
      sent.end(method === 'POST' ? 'needed=x' : undefined);
    },
  );
  return response;
}
const statusOf = async (method: string, headers: Headers) =>
  (await send(method, method === 'POST' ? '/things' : '/things/1', headers)).status;

const host = 'chat.test:8000';

describe('a request that may change something', () => {
  test.each([
    ['of a page of another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' }],
    ['of a page of a sibling domain', { 'sec-fetch-site': 'same-site', origin: 'http://x.test' }],
    ['of a sandboxed page', { 'sec-fetch-site': 'cross-site', origin: 'null' }],
    ['of a page without an Origin header', { 'sec-fetch-site': 'cross-site' }],
    ['of an old browser for another site', { host, origin: 'http://evil.test' }],
    ['of an old browser for another port', { host, origin: 'http://chat.test' }],
    ['of an old browser for a malformed origin', { host, origin: 'chat.test:8000' }],
    ['of an old browser for a sandboxed page', { host, origin: 'null' }],
  ])('%s is refused', async (_title, headers: Headers) => {
    for (const method of ['POST', 'PATCH', 'DELETE'])
      expect(await statusOf(method, headers), method).toBe(403);
    expect(await statusOf('GET', headers)).toBe(200);
  });

  test.each([
    ['of a client that is no browser', {}],
    ['of a page of the service', { 'sec-fetch-site': 'same-origin', origin: 'https://x.test' }],
    ['that a person types', { 'sec-fetch-site': 'none' }],
    ['of an old browser for a page of the service', { host, origin: 'http://chat.test:8000' }],
    ['behind a proxy that adds TLS', { host: 'chat.test', origin: 'https://chat.test' }],
    ['with the default port', { host: 'chat.test:443', origin: 'https://chat.test' }],
    [
      'of the web client at its public address',
      { host, 'sec-fetch-site': 'same-site', origin: 'https://chat.example.com' },
    ],
  ])('%s is accepted', async (_title, headers: Headers) => {
    for (const method of ['POST', 'PATCH', 'DELETE'])
      expect(await statusOf(method, headers), method).toBe(200);
  });
});

describe('a 401 of the API', () => {
  test.each([
    ['names the scheme to a client that is no browser', {}, /^Basic/],
    ['opens no dialog for a script', { 'sec-fetch-dest': 'empty' }, undefined],
    ['opens no dialog for an image', { 'sec-fetch-dest': 'image' }, undefined],
    ['opens no dialog for a form', { 'sec-fetch-dest': 'document' }, undefined],
    ['opens no dialog for another origin', { origin: 'https://evil.test' }, undefined],
  ])('%s', async (_title, headers: Headers, expected) => {
    const { status, challenge } = await send('GET', '/things/mine', headers);
    expect(status).toBe(401);
    if (expected) expect(challenge).toMatch(expected);
    else expect(challenge).toBeUndefined();
  });
});
