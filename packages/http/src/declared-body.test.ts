import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, gzipSync } from 'node:zlib';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestService } from './test-service.fixture.ts';

let server: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  server = await startTestService({ bodyLimit: 10_000 });
});
afterAll(() => server.stop(0));

const FORM = 'application/x-www-form-urlencoded';
type Headers = Readonly<Record<string, string>>;

const post = (path: string, type: string, body: string | Buffer, headers: Headers = {}) =>
  server.ask(path, {
    method: 'POST',
    headers: { ...(type === '' ? {} : { 'content-type': type }), ...headers },
    body: new Blob([typeof body === 'string' ? body : new Uint8Array(body)]),
  });

const latin1 = (form: string) => Buffer.from(form, 'latin1');
const part = (name: string, value: string, ...headers: string[]) =>
  [`--b`, `Content-Disposition: form-data; name="${name}"`, ...headers, '', value, ''].join('\r\n');
const multipart = (...parts: string[]) => latin1(`${parts.join('')}--b--\r\n`);
const MULTIPART = 'multipart/form-data; boundary=b';

test.each([
  ['a form in gzip', '/things', FORM, gzipSync('needed=x'), 'gzip', /compressed .*gzip/],
  ['a form in GZIP', '/things', FORM, gzipSync('needed=x'), 'GZIP', /compressed/],
  ['a form in br', '/things', FORM, brotliCompressSync('needed=x'), 'br', /compressed .*br/],
  ['an unknown coding', '/things', FORM, 'needed=x', 'rot13', /compressed .*rot13/],
  ['a chain', '/things', FORM, gzipSync('needed=x'), 'identity, gzip', /compressed/],
  ['JSON in gzip', '/bulk', 'application/json', gzipSync('{"rows":[]}'), 'gzip', /compressed/],
  ['a multipart form in gzip', '/things', MULTIPART, gzipSync('--b--'), 'gzip', /compressed/],
] as const)('%s is answered 415, which says that it was not read', async (...given) => {
  const [, path, type, body, encoding, message] = given;
  const answer = await post(path, type, body, { 'content-encoding': encoding });
  expect(answer).toMatchObject({ status: 415, body: { code: 'BAD_REQUEST' } });
  expect(answer.body['msg']).toMatch(message);
  expect(answer.body['msg']).toMatch(/not read/);
  expect(answer.headers.get('accept-encoding')).toBe('identity');
});

test('a transfer coding is answered as a content coding is', async () => {
  const socket = connect(server.port, '127.0.0.1');
  const body = gzipSync('needed=x');
  socket.write('POST /api/v1/things HTTP/1.1\r\nhost: a\r\nconnection: close\r\n');
  socket.write(`content-type: ${FORM}\r\ntransfer-encoding: gzip, chunked\r\n\r\n`);
  socket.write(`${body.length.toString(16)}\r\n`);
  socket.write(body);
  socket.write('\r\n0\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1.1 415 .*compressed \(transfer-encoding: gzip/s);
});

test('a body with the content-encoding identity is read', async () => {
  const answer = await post('/things', FORM, 'needed=x', { 'content-encoding': 'identity' });
  expect(answer.body).toMatchObject({ params: { needed: 'x' } });
});

test.each([
  ['a form', '/things', `${FORM}; charset=iso-8859-1`, latin1('needed=caf\xe9')],
  ['a form of ASCII', '/things', `${FORM};charset="windows-1252"`, 'needed=x'],
  ['JSON', '/bulk', 'application/json; charset=utf-16le', Buffer.from('{"rows":[]}', 'utf16le')],
  ['a multipart form', '/things', `${MULTIPART}; charset=latin1`, multipart(part('needed', 'x'))],
  [
    'a part',
    '/things',
    MULTIPART,
    multipart(part('needed', 'caf\xe9', 'Content-Type: text/plain; charset=iso-8859-1')),
  ],
  [
    'a part of ASCII',
    '/things',
    MULTIPART,
    multipart(part('needed', 'x', 'content-type: text/plain;charset="Shift_JIS"')),
  ],
  [
    'a part with two types',
    '/things',
    MULTIPART,
    multipart(part('needed', 'x', 'Content-Type: text/plain', 'Content-Type: a/b; charset=latin1')),
  ],
  [
    'the field _charset_',
    '/things',
    MULTIPART,
    multipart(part('_charset_', 'iso-8859-1'), part('needed', 'caf\xe9')),
  ],
])('another charset than UTF-8 is answered 415: %s', async (_what, path, type, body) => {
  const answer = await post(path, type, body);
  expect(answer).toMatchObject({ status: 415, body: { code: 'BAD_REQUEST' } });
  expect(answer.body['msg']).toMatch(/charset is .*Send text as UTF-8/);
  // It would tell the client to send the body without compression, and the charset is at fault (RFC 9110, section 12.5.3).
  expect(answer.headers.get('accept-encoding')).toBeNull();
});

test.each([
  ['a form', '/things', FORM, latin1('needed=caf\xe9')],
  ['a percent-encoding', '/things', FORM, 'needed=caf%E9'],
  ['a name', '/things', FORM, 'needed=x&caf%E9=1'],
  ['half a character', '/things', FORM, 'needed=%F0%9F%98'],
  ['a surrogate', '/things', FORM, 'needed=%ED%A0%80'],
  ['a query', '/things?text=caf%E9', FORM, 'needed=x'],
  ['JSON', '/bulk', 'application/json', latin1('{"rows":["caf\xe9"]}')],
  ['a part', '/things', MULTIPART, multipart(part('needed', 'caf\xe9'))],
  [
    'a part whose name looks like a file',
    '/things',
    MULTIPART,
    multipart(part('x; filename=y', 'caf\xe9'), part('needed', 'x')),
  ],
  [
    'a part between delimiters that another parameter seems to name',
    '/things',
    'multipart/form-data; title="; boundary=c"; boundary=b',
    multipart(part('needed', 'caf\xe9')),
  ],
  ['the name of a part', '/things', MULTIPART, multipart(part('caf\xe9', 'x'))],
])('bytes that are not UTF-8 are a bad request: %s', async (_what, path, type, body) => {
  const answer = await post(path, type, body);
  expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  expect(answer.body['msg']).toMatch(/not valid UTF-8/);
});

test.each([
  ['UTF-8 with a stray %', FORM, 'needed=caf\u00e9 100%', 'caf\u00e9 100%'],
  ['U+FFFD itself', FORM, 'needed=%EF%BF%BD', '\ufffd'],
  ['a declared UTF-8', `${FORM}; charset="UTF-8"`, 'needed=caf%C3%A9', 'caf\u00e9'],
  ['a declared US-ASCII', `${FORM}; charset=us-ascii`, 'needed=x', 'x'],
  ['a part that declares UTF-8', MULTIPART, '', 'caf\u00e9'],
  ['no type', '', 'needed=x', 'x'],
  ['the type of a string in fetch', 'text/plain;charset=UTF-8', 'needed=x', 'x'],
  ['a byte order mark', FORM, '\ufeffneeded=x', 'x'],
])('text in UTF-8 is read: %s', async (_what, type, body, needed) => {
  const utf8 = Buffer.from('caf\u00e9').toString('latin1');
  const form = multipart(part('needed', utf8, 'Content-Type: text/plain; charset=utf-8'));
  const answer = await post('/things', type, body === '' ? form : body);
  expect(answer.body).toMatchObject({ result: 'success', params: { needed } });
});

test.each(['quoted-printable', 'base64'])('a part in %s is answered 415', async (encoding) => {
  const body = multipart(part('needed', 'eA==', `Content-Transfer-Encoding: ${encoding}`));
  const answer = await post('/things', MULTIPART, body);
  expect(answer).toMatchObject({ status: 415, body: { code: 'BAD_REQUEST' } });
  expect(answer.body['msg']).toContain(encoding);
});

test.each([
  ['JSON without a type', '', '{"needed":"x"}', /it is JSON.*form fields/],
  ['JSON as curl -d sends it', FORM, ' {"needed":"x"}', /it is JSON.*form fields/],
  ['JSON as text', 'text/plain', '{"needed":"x"}', /it is JSON.*form fields/],
  ['JSON of a vendor', 'application/vnd.api+json', '{"needed":"x"}', /it is JSON.*form fields/],
  ['a JSON list', 'application/json', '[1]', /it is JSON.*form fields/],
  ['XML', 'application/xml', '<needed>x</needed>', /application\/xml.*form fields/],
  ['bytes', 'application/octet-stream', 'needed=x', /octet-stream.*form fields/],
  ['another multipart type', 'multipart/mixed; boundary=b', '--b--', /multipart\/mixed/],
])('a body of another type is answered 415: %s', async (_what, type, body, message) => {
  const answer = await post('/things', type, body);
  expect(answer).toMatchObject({ status: 415, body: { code: 'BAD_REQUEST' } });
  expect(answer.body['msg']).toMatch(message);
});

test.each([
  ['a form', FORM, 'rows=[]'],
  ['a multipart form', MULTIPART, multipart(part('rows', '[]'))],
  ['XML', 'application/xml', '<rows/>'],
])('an operation with a JSON body answers 415 to %s', async (_what, type, body) => {
  const answer = await post('/bulk', type, body);
  expect(answer).toMatchObject({ status: 415, body: { code: 'BAD_REQUEST' } });
  expect(answer.body['msg']).toMatch(/not JSON.*application\/json/);
});

test.each(['', 'text/plain', FORM, 'application/json', 'application/json; charset=utf-8'])(
  'an operation with a JSON body reads JSON of the type %j',
  async (type) => {
    expect((await post('/bulk', type, '\ufeff{"rows":["é"]}')).body).toMatchObject({
      params: { rows: ['é'] },
    });
  },
);

test('raw bytes in a path are refused', async () => {
  const socket = connect(server.port, '127.0.0.1');
  socket.end(latin1('GET /api/v1/things?text=caf\xe9 HTTP/1.1\r\nhost: a\r\n\r\n'));
  expect(await text(socket)).toMatch(/^HTTP\/1.1 400 .*not valid HTTP/s);
});
