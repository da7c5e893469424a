import { expect } from 'vitest';

import { type Script, status } from './scripted-bot.ts';
import type { Scenario } from './webhook-bot.ts';

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
export const failureScenarios: readonly Scenario[] = [...badResponses, ...retries];
