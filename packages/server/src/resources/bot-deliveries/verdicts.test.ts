import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { addWebhookBot, NOBODY, startReceiver, status } from '../webhooks/webhooks.fixture.ts';
import { startDeliveries } from './deliveries.fixture.ts';

let deliveries: Awaited<ReturnType<typeof startDeliveries>>;
beforeAll(async () => {
  deliveries = await startDeliveries();
});
afterAll(() => deliveries[Symbol.asyncDispose]());

const REPLY = '{"content":"caf\u00e9"}';
const latin1 = Buffer.from(REPLY, 'latin1');

/** Answers 200 with these headers. */
const answer =
  (headers: Record<string, string>, body: Uint8Array | string) => (response: ServerResponse) =>
    void response.writeHead(200, headers).end(body);
const coded = (encoding: string, body: Uint8Array) =>
  answer({ 'content-encoding': encoding }, body);
const typed = (type: string, body: Uint8Array | string) => answer({ 'content-type': type }, body);
/** Answers with these bytes, whether they are HTTP or not. */
const raw = (bytes: string) => (response: ServerResponse) =>
  void response.socket?.end(Buffer.from(bytes, 'latin1'));

const moved = { location: 'http://127.0.0.1:1/x' };

test.for([
  ['a reply', '{"content":"hello"}', 'replied', null, 'sent'],
  ['silence', '{}', '{}: silent', null, 'silent'],
  [
    'another key than content',
    '{"text":"hello"}',
    '200 but no content: did you mean "content" for "text"?',
    'misnamed_reply',
    'silent',
  ],
  [
    'a reply with an error of the bot',
    '{"content":"Something went wrong.","error":"no database"}',
    '200 but replied, and reports an error of the bot',
    'bot_error',
    'sent',
  ],
  ['text', 'hello', '200 but not JSON at line 1, column 1', 'not_json', 'none'],
  ['nothing', '', '200 but an empty answer, not JSON: answer {} for silence', 'not_json', 'none'],
  ['a list', '["hello"]', '200 but a JSON list, not an object', 'not_object', 'none'],
  [
    'a broken widget',
    '{"content":"x","widget_content":"{"}',
    /^200 but widget_content of the answer is not usable/,
    'bad_widget',
    'none',
  ],
  [
    'a reply that the chat refuses',
    '{"content":"a\\u0000b"}',
    /^answered, but the chat refused the reply: .*null/,
    'reply_refused',
    'refused',
  ],
  [
    'a long answer',
    'x'.repeat(70_000),
    '200 but over 64 KiB: the answer was not read to its end',
    'too_large',
    'none',
  ],
  [
    'a redirect',
    status(302, '', moved),
    '302 Found to http://127.0.0.1:1/x: redirects are refused; set the final address as payload URL',
    'redirect',
    'none',
  ],
  [
    'an unknown path',
    status(404),
    '404 Not Found: is the path of the payload URL right?',
    'status',
    'none',
  ],
  [
    'an error of the bot',
    status(500),
    '500 Internal Server Error: the bot failed: see its log',
    'status',
    'none',
  ],
  ['a status without a name', status(599), '599', 'status', 'none'],
] as const)('the verdict on %s', async ([, answer, verdict, error_code, outcome]) => {
  const { receiver, send, ended } = deliveries;
  receiver.answer(answer);
  const delivery = await ended(await send());
  expect(delivery.verdict).toMatch(typeof verdict === 'string' ? exactly(verdict) : verdict);
  expect(delivery).toMatchObject({
    status: statusOf(error_code),
    error_code,
    reply: { outcome },
    attempt_count: 1,
  });
  expect(delivery.attempts).toMatchObject([
    { number: 1, timing: { total: expect.any(Number) as number } },
  ]);
});

const statusOf = (error_code: string | null) => {
  if (error_code === 'bot_error') return error_code;
  return error_code === null || error_code === 'misnamed_reply' ? 'delivered' : 'failed';
};
const exactly = (text: string) =>
  new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`);

test.for([
  ['gzip', coded('gzip', gzipSync(REPLY))],
  ['X-GZIP', coded('X-GZIP', gzipSync(REPLY))],
  ['deflate', coded('deflate', deflateSync(REPLY))],
  ['deflate without the header of zlib', coded('deflate', deflateRawSync(REPLY))],
  ['br', coded('br', brotliCompressSync(REPLY))],
  ['zstd', coded('zstd', zstdCompressSync(REPLY))],
  ['two encodings', coded('br, gzip', gzipSync(brotliCompressSync(REPLY)))],
  ['identity', coded('identity', Buffer.from(REPLY))],
  ['a charset of one byte', typed('application/json; charset=iso-8859-1', latin1)],
  ['a quoted charset', typed('text/html;charset="Windows-1252"', latin1)],
  ['UTF-16', typed('application/json; charset=utf-16le', Buffer.from(REPLY, 'utf16le'))],
  ['UTF-16 by its mark', typed('application/json', Buffer.from(`\ufeff${REPLY}`, 'utf16le'))],
  ['UTF-8 with a mark', typed('application/json; charset=utf-8', `\ufeff${REPLY}`)],
  ['headers of 17 kB', answer({ 'x-long': 'x'.repeat(17_000) }, REPLY)],
] as const)('an answer in another representation is read: %s', async ([, given]) => {
  const { chat, receiver, send, ended } = deliveries;
  receiver.answer(given);
  const { verdict, reply } = await ended(await send());
  expect([verdict, reply.outcome]).toEqual(['replied', 'sent']);
  const { client } = chat.people.cordelia;
  const message_id = reply.message_id ?? 0;
  const { message } = await client.messages.fetchOne({ message_id, apply_markdown: false });
  expect(message.content).toBe('caf\u00e9');
});

const BOMB = gzipSync(Buffer.alloc(100_000_000));

test.for([
  ['a bomb', coded('gzip', BOMB), 'too_large', /^200 but over 64 KiB/],
  ['a bomb in a bomb', coded('gzip, gzip', gzipSync(BOMB)), 'too_large', /^200 but over 64 KiB/],
  ['no gzip', coded('gzip', Buffer.from(REPLY)), 'bad_encoding', /^200 but has .*is not gzip$/],
  ['half of gzip', coded('gzip', gzipSync(REPLY).subarray(0, 20)), 'bad_encoding', /is not gzip$/],
  ['an unknown encoding', coded('rot13', latin1), 'bad_encoding', /content-encoding rot13, which/],
  ['compress', coded('compress', latin1), 'bad_encoding', /content-encoding compress, which/],
  ['five encodings', coded('br,br,br,br,br', latin1), 'bad_encoding', /has 5 content-encodings/],
  ['an unknown charset', typed('text/plain; charset=klingon', REPLY), 'bad_charset', /klingon/],
  [
    'latin1 as UTF-8',
    typed('application/json', latin1),
    'bad_charset',
    /^200 but is not valid UTF-8/,
  ],
  [
    'headers of 70 kB',
    answer({ 'x-long': 'x'.repeat(70_000) }, REPLY),
    'header_too_large',
    /64 KiB/,
  ],
  [
    'two equal lengths',
    raw('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 2\r\n\r\n{}'),
    'bad_http',
    /^the answer has a Content-Length that does not fit, or more than one$/,
  ],
  [
    'bare line feeds',
    raw('HTTP/1.1 200 OK\ncontent-length: 2\n\n{}'),
    'bad_http',
    /^the answer is not valid HTTP: Missing expected CR after response line$/,
  ],
  [
    'a space before a colon',
    raw('HTTP/1.1 200 OK\r\nx : 1\r\n\r\n'),
    'bad_http',
    /Invalid header token$/,
  ],
  [
    'a broken chunk',
    raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'),
    'bad_http',
    /Invalid character in chunk size$/,
  ],
  ['status 000', raw('HTTP/1.1 000 X\r\n\r\n'), 'bad_http', /not valid HTTP/],
  ['another protocol', raw('SSH-2.0-OpenSSH\r\n'), 'not_http', /^the answer is not HTTP/],
  [
    'an unasked upgrade',
    raw('HTTP/1.1 101 Up\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    'bad_http',
    /nobody asked for$/,
  ],
] as const)(
  'an answer that cannot be read is named in the verdict and asked for once: %s',
  async ([, given, error_code, verdict]) => {
    const { receiver, send, ended } = deliveries;
    receiver.answer(given);
    const delivery = await ended(await send());
    expect(delivery).toMatchObject({ status: 'failed', error_code, attempt_count: 1 });
    expect(delivery.verdict).toMatch(verdict);
  },
);

test('the excerpt of an error page is in the charset that it declares', async () => {
  const { receiver, send, ended } = deliveries;
  const page = gzipSync(Buffer.from('caf\u00e9', 'latin1'));
  const headers = { 'content-type': 'text/html; charset=iso-8859-1', 'content-encoding': 'gzip' };
  receiver.answer((response) => void response.writeHead(500, headers).end(page));
  const { error_code, attempts } = await ended(await send());
  expect([error_code, attempts[0]?.response?.body]).toEqual(['status', 'caf\u00e9']);
});

test('the verdict quotes the place where an answer is not JSON, for the owner', async () => {
  const { receiver, send, ended } = deliveries;
  receiver.answer("{'content': 'hi'}");
  const { attempts } = await ended(await send());
  expect(attempts[0]?.error).toEqual({ code: 'not_json', near: "{'content': 'hi'}" });
});

test('the verdict on a truncated answer says that it was cut', async () => {
  const { receiver, send, ended } = deliveries;
  receiver.answer('x'.repeat(70_000));
  const { attempts } = await ended(await send());
  expect(attempts[0]?.response).toMatchObject({ truncated: true, body: 'x'.repeat(65_536) });
});

test('a delivery is retried after a closed connection, and each attempt has its time', async () => {
  const { receiver, send, ended, inState } = deliveries;
  receiver.answer((response) => void response.destroy());
  const id = await send();
  const waiting = await inState(
    (delivery) => delivery.message_id === id,
    ['retrying', 'running', 'failed'],
  );
  if (waiting.status === 'retrying') expect(waiting.next_attempt_ms).toBeGreaterThan(0);
  const { attempts, ...delivery } = await ended(id);
  expect(delivery).toMatchObject({
    status: 'failed',
    attempt_count: 3,
    error_code: 'closed',
    next_attempt_ms: null,
    verdict: expect.stringMatching(/^connection closed after \d+ ms$/) as string,
  });
  expect(attempts.map(({ verdict }) => verdict.replace(/\d+ ms/, '…'))).toEqual([
    'connection closed after …; retry 1 of 2',
    'connection closed after …; retry 2 of 2',
    'connection closed after …',
  ]);
});

test('the verdict on a time-out names its step', async () => {
  const impatient = { BELLHOP_WEBHOOK_RETRY: 'none', BELLHOP_WEBHOOK_TIMEOUT: '0.6' };
  await using slow = await startDeliveries(impatient);
  const { receiver, send, ended } = slow;
  const sent = async () => await ended(await send());
  receiver.answer(() => {});
  // A busy machine may spend the time in an earlier step: then another message is sent.
  await expect.poll(sent).toMatchObject({
    error_code: 'timeout',
    verdict: 'time-out after 0.6 s: the first byte had not come',
  });
  receiver.answer((response) => response.write('{'));
  await expect.poll(sent).toMatchObject({
    verdict: 'time-out after 0.6 s: the answer had begun and was not complete',
  });
});

test.each([
  ['nobody', 'refused', /^connection refused: nothing listens at 127\.0\.0\.1:\d+$/],
  ['plain', 'not_tls', /^TLS: 127\.0\.0\.1:\d+ does not speak TLS; is its address http:\/\/\?$/],
  ['noise', 'not_http', /^the answer is not HTTP/],
  ['inside', 'address_forbidden', /^address forbidden: the payload URL leads to no public address/],
  ['nowhere', 'unknown_host', /^DNS: there is no host x{64}\.invalid/],
] as const)('the verdict on an endpoint: %s', async (kind, error_code, verdict) => {
  await using plain = await startReceiver();
  const noise = createServer((socket: Socket) => socket.end('hello\r\n\r\n')).listen(
    0,
    '127.0.0.1',
  );
  await once(noise, 'listening');
  const urls = {
    nobody: NOBODY,
    plain: plain.url.replace('http:', 'https:'),
    noise: `http://127.0.0.1:${(noise.address() as AddressInfo).port}/`,
    inside: 'http://10.1.2.3/hook',
    // So long a label has no host: the system knows that without a name server, which may be out of reach.
    nowhere: `http://${'x'.repeat(64)}.invalid/hook`,
  };
  const { chat, send, ended } = deliveries;
  const names = { full_name: `At ${kind}`, short_name: `at-${kind}` };
  const { user_id } = await addWebhookBot(chat, urls[kind], names);
  const delivery = await ended(await send('hi', user_id), user_id);
  noise.close();
  expect(delivery).toMatchObject({ status: 'failed', error_code, http_status: null });
  expect(delivery.verdict).toMatch(verdict);
  expect(delivery.attempts.at(-1)?.response).toBeNull();
});
