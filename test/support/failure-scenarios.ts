import { gzipSync } from 'node:zlib';

import { expect } from 'vitest';

import { type Script, status } from './scripted-bot.ts';
import type { Scenario } from './webhook-bot.ts';

const answer =
  (headers: Record<string, string>, body: string | Uint8Array): Script =>
  (response) =>
    void response.writeHead(200, headers).end(body);
const twoLengths: Script = (response) =>
  void response.socket?.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 2\r\n\r\n{}');

const badResponses: readonly Scenario[] = (
  [
    ['text that is no JSON', 'Hello!', 'Hello!'],
    ['an empty body', '', ''],
    ['a JSON list', '["Hello"]', 'Hello'],
    ['JSON null', 'null', 'null'],
    ['a JSON string', '"Hello"', 'Hello'],
    ['a widget that is an object', '{"content":"x","widget_content":{}}', 'widget_content'],
    ['a widget of no known type', '{"content":"x","widget_content":"{}"}', 'widget_content'],
    ['status 404', status(404, 'no such page'), 'status 404'],
    ['status 500', status(500, 'Traceback'), 'Traceback'],
    ['a redirect', status(302, '', { location: 'http://127.0.0.1:1/x' }), 'status 302'],
    ['status 503 without Retry-After', status(503, 'busy'), 'status 503'],
    ['a body over 64 KiB', JSON.stringify({ content: 'x'.repeat(70_000) }), 'long'],
    ['a false content-encoding', answer({ 'content-encoding': 'gzip' }, '{}'), 'not gzip'],
    ['an unknown content-encoding', answer({ 'content-encoding': 'rot13' }, '{}'), 'rot13'],
    ['a bomb', answer({ 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(1_000_000))), 'long'],
    ['an unknown charset', answer({ 'content-type': 'a/b; charset=klingon' }, '{}'), 'klingon'],
    ['bytes that are no UTF-8', answer({}, Buffer.from('{"content":"\u00e9"}', 'latin1')), 'UTF-8'],
    ['two equal lengths', twoLengths, 'Length'],
    ['headers of 70 kB', answer({ x: 'x'.repeat(70_000) }, '{}'), '64 KiB'],
    ['content with a null byte', '{"content":"a\\u0000b"}', 'null'],
  ] satisfies readonly [string, Script, string][]
).map(([name, script, told]) => [
  `a response of ${name} posts one failure and tells the owner once`,
  async (fixture) => {
    fixture.hook.answers(script);
    await fixture.mention();
    expect(fixture.hook.received).toHaveLength(1);
    const said = await fixture.repliesIn();
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(/^Failure! /);
    const owner = await fixture.ownerNotices();
    expect(owner).toHaveLength(1);
    expect(owner[0]).toContain(told);
    expect(owner[0]).toContain(`@_**${fixture.bot.full_name}|${fixture.bot.user_id}**`);
  },
]);

const representations: readonly Scenario[] = (
  [
    ['gzip', answer({ 'content-encoding': 'gzip' }, gzipSync('{"content":"caf\u00e9"}'))],
    [
      'latin1',
      answer(
        { 'content-type': 'application/json; charset=iso-8859-1' },
        Buffer.from('{"content":"caf\u00e9"}', 'latin1'),
      ),
    ],
    ['headers of 17 kB', answer({ x: 'x'.repeat(17_000) }, '{"content":"caf\u00e9"}')],
  ] satisfies readonly [string, Script][]
).map(([name, script]) => [
  `a reply in another representation is posted: ${name}`,
  async (fixture) => {
    fixture.hook.answers(script);
    await fixture.mention();
    expect(await fixture.repliesIn()).toEqual(['caf\u00e9']);
  },
]);

const retries: readonly Scenario[] = [
  [
    'a delivery whose connection breaks is repeated',
    async (fixture) => {
      fixture.hook.answers((response, turn) => {
        if (turn > 1) response.end('{"content":"at last"}');
        else response.destroy();
      });
      await fixture.direct();
      expect(await fixture.directReplies()).toEqual(['at last']);
    },
  ],
  [
    'a delivery whose response is cut short is repeated',
    async (fixture) => {
      fixture.hook.answers((response, turn) => {
        if (turn > 1) response.end('{"content":"whole"}');
        else {
          response.writeHead(200, { 'content-length': '100' });
          response.write('{"content":', () => response.destroy());
        }
      });
      await fixture.mention();
      expect(await fixture.repliesIn()).toEqual(['whole']);
    },
  ],
  [
    'a delivery refused with 503 and Retry-After is repeated',
    async (fixture) => {
      fixture.hook.answers((response, turn) => {
        if (turn > 1) response.end('{"content":"at last"}');
        else response.writeHead(503, { 'retry-after': '0' }).end();
      });
      await fixture.mention();
      expect(await fixture.repliesIn()).toEqual(['at last']);
    },
  ],
];

/** Scenarios of bots that do not answer. They take as long as the server waits for a bot. */
export const timeoutScenarios: readonly Scenario[] = [
  [
    'a delivery whose response stops half-way times out and is repeated',
    async (fixture) => {
      fixture.hook.answers((response, turn) => {
        if (turn > 1) response.end('{"content":"whole"}');
        else response.writeHead(200, { 'content-length': '100' }).write('{"content":');
      });
      await fixture.mention();
      expect(await fixture.repliesIn()).toEqual(['whole']);
    },
  ],
  [
    'a delivery that times out is repeated with the same id and posts one reply',
    async (fixture) => {
      fixture.hook.answers((response, turn) => {
        if (turn > 1) response.end('{"content":"at last"}');
      });
      await fixture.mention();
      expect(await fixture.repliesIn()).toEqual(['at last']);
      const headers = fixture.hook.received.map((one) => one.headers);
      expect(headers.map((one) => one['webhook-attempt'])).toEqual(['1', '2']);
      expect(new Set(headers.map((one) => one['webhook-id'])).size).toBe(1);
      expect(await fixture.ownerNotices()).toEqual([]);
    },
  ],
  [
    'a delivery that always times out posts that the bot is unavailable and tells the owner why',
    async (fixture) => {
      fixture.hook.answers(() => {});
      await fixture.mention();
      expect(fixture.hook.received).toHaveLength(2);
      expect(await fixture.repliesIn()).toEqual(['Failure! The bot is unavailable.']);
      expect(await fixture.ownerNotices()).toEqual([expect.stringContaining('in time')]);
    },
  ],
];

/** Scenarios of failing bots, in which the fake server and the real one behave alike. */
export const failureScenarios: readonly Scenario[] = [
  ...badResponses,
  ...representations,
  ...retries,
];
