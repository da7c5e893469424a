import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { listen, type Listening } from './listen.ts';

let server: Listening;
beforeAll(async () => {
  server = await listen(({ url, headers, method }, response) =>
    response.end(JSON.stringify({ method, url, host: headers.host })),
  );
});
afterAll(() => server.stop(0));

/** Sends the head of a request with these lines. Returns the status and the body of the response. */
async function send(...lines: string[]) {
  const socket = connect(server.port, '127.0.0.1');
  socket.end([...lines, 'connection: close', '', ''].join('\r\n'));
  const answer = await text(socket);
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head, body };
}

test.each([
  ['GET http://chat.test/api/v1/users?a=http://b/c HTTP/1.1', '/api/v1/users?a=http://b/c'],
  ['GET HTTPS://chat.test/x HTTP/1.1', '/x'],
  ['GET http://chat.test HTTP/1.1', '/'],
  ['GET http://chat.test?a=1 HTTP/1.1', '/?a=1'],
  ['GET http://chat.test//x HTTP/1.1', '/x'],
])('%s is served as its path, for the host of the target', async (line, url) => {
  const { status, body } = await send(line, 'host: elsewhere.test');
  expect(status).toBe(200);
  expect(JSON.parse(body)).toEqual({ method: 'GET', url, host: 'chat.test' });
});

test('slashes before a path are one', async () => {
  const { body } = await send('GET ///api//v1/?x=// HTTP/1.1', 'host: chat.test');
  expect(JSON.parse(body)).toMatchObject({ url: '/api//v1/?x=//' });
});

test.each(['OPTIONS * HTTP/1.1', 'OPTIONS http://chat.test HTTP/1.1'])(
  '%s asks about the whole server, and is answered 204',
  async (line) => {
    const { status, head, body } = await send(line, 'host: chat.test');
    expect([status, body]).toEqual([204, '']);
    expect(head).toMatch(/\r\nallow: .*GET.*POST.*OPTIONS/i);
  },
);

test.each([
  ['two Host headers', 'GET / HTTP/1.1', ['host: a.test', 'Host: b.test'], /Host/],
  ['two equal Host headers', 'GET / HTTP/1.1', ['host: a.test', 'host: a.test'], /Host/],
  ['two Host headers, HTTP/1.0', 'GET / HTTP/1.0', ['host: a.test', 'host: b.test'], /Host/],
  ['no Host header', 'GET / HTTP/1.1', [], /Host/],
  ['an absolute target without Host header', 'GET http://a.test/ HTTP/1.1', [], /Host/],
  ['a Host with a path', 'GET / HTTP/1.1', ['host: a.test/x'], /Host/],
  ['a Host with a space', 'GET / HTTP/1.1', ['host: a.test b.test'], /Host/],
  ['a Host with a login', 'GET / HTTP/1.1', ['host: me@a.test'], /Host/],
  ['a target with a login', 'GET http://me@a.test/ HTTP/1.1', ['host: a.test'], /target/],
  ['a target without a host', 'GET http:///x HTTP/1.1', ['host: a.test'], /target|URL/i],
  ['a target of another scheme', 'GET ftp://a.test/ HTTP/1.1', ['host: a.test'], /target|URL/i],
  ['GET *', 'GET * HTTP/1.1', ['host: a.test'], /target/],
  ['an unknown method', 'BREW / HTTP/1.1', ['host: a.test'], /method/i],
  ['a method in lower case', 'get / HTTP/1.1', ['host: a.test'], /method/i],
  [
    'two lengths',
    'POST / HTTP/1.1',
    ['host: a', 'content-length: 0', 'content-length: 0'],
    /Length/,
  ],
])('%s is answered 400, and the message says what is wrong', async (_what, line, headers, msg) => {
  const { status, body } = await send(line, ...headers);
  expect(status).toBe(400);
  expect(JSON.parse(body)).toEqual({
    result: 'error',
    code: 'BAD_REQUEST',
    msg: expect.stringMatching(msg) as string,
  });
});

test.each([
  'a.test',
  'A.test:8080',
  '127.0.0.1:1',
  '[::1]',
  '[2001:db8::1]:443',
  'under_score.a',
  '',
])('the Host %j is served', async (host) => {
  const { status, body } = await send('GET / HTTP/1.1', `host: ${host}`);
  expect([status, JSON.parse(body)]).toEqual([200, { method: 'GET', url: '/', host }]);
});

test('an expectation that nobody meets is answered 417, which names it', async () => {
  const { status, body } = await send('GET / HTTP/1.1', 'host: a.test', 'expect: 200-ok');
  expect(status).toBe(417);
  expect(JSON.parse(body)).toMatchObject({
    code: 'BAD_REQUEST',
    msg: expect.stringMatching(/Expect.*100-continue/),
  });
});

test('too many headers are answered 413, which says how many there may be', async () => {
  const headers = Array.from({ length: 1_001 }, () => 'a: b');
  const { status, body } = await send('GET / HTTP/1.1', 'host: a.test', ...headers);
  expect(status).toBe(413);
  expect(JSON.parse(body)).toMatchObject({
    code: 'PAYLOAD_TOO_LARGE',
    msg: expect.stringMatching(/1,000 headers/),
  });
});

test('HTTP/2 without TLS is answered 400, which names the version that is spoken', async () => {
  const { status, body } = await send('PRI * HTTP/2.0', '', 'SM', '', '');
  expect(status).toBe(400);
  expect(JSON.parse(body)).toMatchObject({ msg: expect.stringMatching(/HTTP\/1\.1/) });
});

test('HTTP/1.0 needs no Host header', async () => {
  expect((await send('GET / HTTP/1.0')).status).toBe(200);
});

test('CONNECT is answered 405: the server is no proxy', async () => {
  const { status, body } = await send('CONNECT a.test:443 HTTP/1.1', 'host: a.test');
  expect(status).toBe(405);
  expect(JSON.parse(body)).toMatchObject({ code: 'METHOD_NOT_ALLOWED' });
});
