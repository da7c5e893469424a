import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { brotliCompressSync, deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib';

import { afterAll, expect, onTestFinished, test } from 'vitest';

import { OutboundError } from './outbound-error.ts';
import { createOutbound } from './outbound.ts';

const outbound = createOutbound({ allow: ['127.0.0.0/8'] });
afterAll(() => outbound.close());

/** Posts to a peer that sends these bytes and closes the connection. */
async function answeredWith(...bytes: (string | Uint8Array)[]) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    const answer = bytes.map((part) =>
      typeof part === 'string' ? Buffer.from(part, 'latin1') : part,
    );
    socket.once('data', () => socket.end(Buffer.concat(answer)));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return outbound.post(url, { body: '{}' }).catch((error: unknown) => error);
}

const head = (...lines: string[]) => ['HTTP/1.1 200 OK', ...lines, '', ''].join('\r\n');
const OK = head('content-length: 2');

test.each([
  ['gzip', gzipSync('hello')],
  ['x-gzip', gzipSync('hello')],
  ['deflate', deflateRawSync('hello')],
  ['br', brotliCompressSync('hello')],
  ['zstd', zstdCompressSync('hello')],
  ['gzip, BR', brotliCompressSync(gzipSync('hello'))],
  ['gzip,, identity', gzipSync('hello')],
  ['gzip', Buffer.concat([gzipSync('hel'), gzipSync('lo')])],
])('a body in %s is decoded', async (coding, body) => {
  const answer = await answeredWith(head(`content-encoding: ${coding}`), body);
  expect(answer).toMatchObject({ status: 200, body: Buffer.from('hello') });
});

test('two headers are a chain, and a transfer coding is removed before a content coding', async () => {
  const twice = gzipSync(gzipSync('hello'));
  const lines = ['content-encoding: gzip', 'Content-Encoding: gzip'];
  expect(await answeredWith(head(...lines), twice)).toMatchObject({ body: Buffer.from('hello') });
  const coded = head('content-encoding: br', 'transfer-encoding: gzip');
  const body = gzipSync(brotliCompressSync('hello'));
  expect(await answeredWith(coded, body)).toMatchObject({ body: Buffer.from('hello') });
});

test.each(['gzip', 'rot13'])('an empty body in %s is empty', async (coding) => {
  const lines = [`content-encoding: ${coding}`, 'content-length: 0'];
  expect(await answeredWith(head(...lines))).toMatchObject({ status: 200, body: Buffer.alloc(0) });
});

test.each([
  ['65,536 bytes', 65_536, undefined],
  ['65,537 bytes', 65_537, 'too_large'],
  ['100 MB', 100_000_000, 'too_large'],
])('the limit is that of the decoded body: %s', async (_what, size, fault) => {
  const answer = await answeredWith(head('content-encoding: gzip'), gzipSync(Buffer.alloc(size)));
  if (fault === undefined) expect(answer).toMatchObject({ status: 200 });
  else expect(answer).toMatchObject({ fault, response: { status: 200, body: Buffer.alloc(0) } });
});

test.each([
  ['no gzip', head('content-encoding: gzip'), 'hello'],
  ['half of gzip', head('content-encoding: gzip'), gzipSync('hello').subarray(0, 15)],
  ['an unknown coding', head('content-encoding: rot13'), 'hello'],
  ['a known and an unknown coding', head('content-encoding: rot13, gzip'), gzipSync('hello')],
  ['five codings', head('content-encoding: br,br,br,br,br'), 'hello'],
])('a body that cannot be decoded is unreadable: %s', async (_what, lines, body) => {
  expect(await answeredWith(lines, body)).toMatchObject({
    fault: 'bad_encoding',
    response: { status: 200, body: Buffer.alloc(0) },
  });
});

test('the name of an unknown coding is quoted without signs and cut', async () => {
  const coding = `<b>\u00e9 ${'x'.repeat(100)}`;
  const error = await answeredWith(head(`content-encoding: ${coding}`), 'hello');
  expect(error).toMatchObject({
    detail: expect.stringMatching(/encoding \?b\?\?\?x{25}, which/) as string,
  });
});

const headers = (count: number, line: string) =>
  Array.from({ length: count }, (_, at) => line.replace('N', String(at)));

test.each([
  ['of 17 kB', headers(1, `x: ${'x'.repeat(17_000)}`)],
  ['of 60 kB', headers(1, `x: ${'x'.repeat(60_000)}`)],
  ['3,000', headers(3000, 'xN: y')],
  ['with a byte of latin1', ['x: caf\u00e9']],
])('headers that are unusual are read: %s', async (_what, lines) => {
  expect(await answeredWith(head(...lines, 'content-length: 2'), '{}')).toMatchObject({
    status: 200,
  });
});

test.each([
  ['headers of 70 kB', [head(`x: ${'x'.repeat(70_000)}`)], 'header_too_large', /more than 64 KiB/],
  [
    'two equal lengths',
    [head('content-length: 2', 'content-length: 2'), '{}'],
    'bad_http',
    /Length/,
  ],
  ['two lengths', [head('content-length: 2', 'content-length: 3'), '{}'], 'bad_http', /Length/],
  ['a list of lengths', [head('content-length: 2, 2'), '{}'], 'bad_http', /Length/],
  ['a length of letters', [head('content-length: abc'), '{}'], 'bad_http', /Length/],
  ['a negative length', [head('content-length: -1'), '{}'], 'bad_http', /Length/],
  ['an empty length', [head('content-length: '), '{}'], 'bad_http', /Length/],
  [
    'a length and chunks',
    [head('content-length: 2', 'transfer-encoding: chunked'), '2\r\n{}\r\n0\r\n\r\n'],
    'bad_http',
    /Length/,
  ],
  ['line feeds', ['HTTP/1.1 200 OK\ncontent-length: 2\n\n{}'], 'bad_http', /Missing expected CR/],
  ['a line feed', [OK.replace('OK\r\n', 'OK\n'), '{}'], 'bad_http', /Missing expected CR/],
  ['a carriage return', [OK.replace('OK\r\n', 'OK\r'), '{}'], 'bad_http', /Expected LF/],
  ['a null', [head('x: a\0b')], 'bad_http', /Invalid header value/],
  ['a space before a colon', [head('x : a')], 'bad_http', /Invalid header token/],
  ['no colon', [head('nonsense')], 'bad_http', /Invalid header token/],
  ['a folded header', [head('x: a', ' b')], 'bad_http', /whitespace/],
  ['a broken chunk', [head('transfer-encoding: chunked'), 'zz\r\n'], 'bad_http', /chunk size/],
  [
    'chunks with LF',
    [head('transfer-encoding: chunked'), '2\n{}\n0\n\n'],
    'bad_http',
    /CR after chunk/,
  ],
  [
    'a broken trailer',
    [head('transfer-encoding: chunked'), '2\r\n{}\r\n0\r\nbad\r\n\r\n'],
    'bad_http',
    /header token/,
  ],
  ['the status 42', ['HTTP/1.1 42 X\r\n\r\n'], 'bad_http', /status/],
  ['the status 000', ['HTTP/1.1 000 X\r\n\r\n'], 'bad_http', /status/],
  ['the status abc', ['HTTP/1.1 abc X\r\n\r\n'], 'bad_http', /status/],
  [
    'an upgrade',
    ['HTTP/1.1 101 X\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
    'bad_http',
    /protocol/,
  ],
  ['100 of HTTP/1.0', ['HTTP/1.0 100 Continue\r\n\r\n'], 'bad_http', /status/],
  ['101 without an upgrade', ['HTTP/1.1 101 X\r\n\r\n'], 'bad_http', /valid HTTP/],
  ['HTTP/0.9', ['{}'], 'not_http', /not HTTP/],
  ['HTTP/2', ['HTTP/2 200 OK\r\n\r\n{}'], 'not_http', /not HTTP/],
  ['a frame of HTTP/2', ['\0\0\x12\x04\0\0\0\0\0'], 'not_http', /not HTTP/],
  ['an alert of TLS', ['\x15\x03\x01\0\x02\x02\x46'], 'not_http', /not HTTP/],
])('an answer that is not valid is unreadable, and says why: %s', async (...given) => {
  const [, bytes, fault, words] = given;
  const error = await answeredWith(...bytes);
  expect(error).toBeInstanceOf(OutboundError);
  expect(error).toMatchObject({ fault });
  expect((error as OutboundError).detail).toMatch(words);
  expect((error as OutboundError).safeMessage).not.toContain('127.0.0.1');
});

test.each([
  ['no answer', ''],
  ['half of the headers', 'HTTP/1.1 200 OK\r\ncontent-'],
  ['half of the body', `${head('content-length: 20')}{}`],
  ['no last chunk', `${head('transfer-encoding: chunked')}2\r\n{}\r\n`],
])('a connection that is closed early is one that may work later: %s', async (_what, bytes) => {
  expect(await answeredWith(bytes)).toMatchObject({ fault: 'closed' });
});
