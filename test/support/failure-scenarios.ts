import { expect } from 'vitest';

import type { Scenario } from './bot-stage.ts';
import { type Script, status } from './scripted-bot.ts';

const mistakes: readonly Scenario[] = (
  [
    ['no JSON', 'Hello!', 'Hello!'],
    ['an empty body', '', ''],
    ['a list', '["Hello"]', 'Hello'],
    ['null', 'null', 'null'],
    ['a text', '"Hello"', 'Hello'],
    ['a widget that is an object', '{"content":"x","widget_content":{}}', 'widget_content'],
    ['a widget of no known type', '{"content":"x","widget_content":"{}"}', 'widget_content'],
    ['not found', status(404, 'no such page'), 'status 404'],
    ['its own failure', status(500, 'Traceback'), 'Traceback'],
    ['a redirect', status(302, '', { location: 'http://127.0.0.1:1/x' }), 'status 302'],
    ['overload without a time', status(503, 'busy'), 'status 503'],
    ['too much', JSON.stringify({ content: 'x'.repeat(70_000) }), 'long'],
    ['a NUL', '{"content":"a\\u0000b"}', 'null'],
  ] satisfies readonly [string, Script, string][]
).map(([name, script, told]) => [
  `${name} is a failure, told of once`,
  async (scene) => {
    scene.hook.answers(script);
    await scene.mention();
    expect(scene.hook.received).toHaveLength(1);
    const said = await scene.answersIn();
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(/^Failure! /);
    const owner = await scene.toldOwner();
    expect(owner).toHaveLength(1);
    expect(owner[0]).toContain(told);
    expect(owner[0]).toContain(`@_**${scene.bot.full_name}|${scene.bot.user_id}**`);
  },
]);

const retries: readonly Scenario[] = [
  [
    'too slow once: asked again under the same id, one reply',
    async (scene) => {
      scene.hook.answers((response, turn) => {
        if (turn > 1) response.end('{"content":"at last"}');
      });
      await scene.mention();
      expect(await scene.answersIn()).toEqual(['at last']);
      const headers = scene.hook.received.map((one) => one.headers);
      expect(headers.map((one) => one['webhook-attempt'])).toEqual(['1', '2']);
      expect(new Set(headers.map((one) => one['webhook-id'])).size).toBe(1);
      expect(await scene.toldOwner()).toEqual([]);
    },
  ],
  [
    'broken off once: asked again',
    async (scene) => {
      scene.hook.answers((response, turn) => {
        if (turn > 1) response.end('{"content":"at last"}');
        else response.destroy();
      });
      await scene.direct();
      expect(await scene.answersBetween()).toEqual(['at last']);
    },
  ],
  [
    'an answer that stops half way counts as none',
    async (scene) => {
      scene.hook.answers((response, turn) => {
        if (turn > 1) response.end('{"content":"whole"}');
        else response.writeHead(200, { 'content-length': '100' }).write('{"content":');
      });
      await scene.mention();
      expect(await scene.answersIn()).toEqual(['whole']);
    },
  ],
  [
    'overload with a time: asked again then',
    async (scene) => {
      scene.hook.answers((response, turn) => {
        if (turn > 1) response.end('{"content":"at last"}');
        else response.writeHead(503, { 'retry-after': '0' }).end();
      });
      await scene.mention();
      expect(await scene.answersIn()).toEqual(['at last']);
    },
  ],
  [
    'too slow every time: unavailable, and the owner is told why',
    async (scene) => {
      scene.hook.answers(() => {});
      await scene.mention();
      expect(scene.hook.received).toHaveLength(2);
      expect(await scene.answersIn()).toEqual(['Failure! The bot is unavailable.']);
      expect(await scene.toldOwner()).toEqual([expect.stringContaining('in time')]);
    },
  ],
];

/** What a chat server makes of bots that fail, whoever made it. */
export const failureScenarios: readonly Scenario[] = [...mistakes, ...retries];
