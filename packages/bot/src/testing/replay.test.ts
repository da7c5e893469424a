import { expect, test } from 'vitest';

import { createBot } from '../create-bot.ts';
import { directMessage, mention } from '../example-payload.fixture.ts';
import { replay } from './replay.ts';

const bot = createBot({ email: 'echo-bot@chat.test', token: 'genuine' })
  .command('quiet', () => {})
  .command('fail', () => {
    throw new Error('fails');
  })
  .fallback((ctx) => ctx.text);

test('replay returns the reply to a payload given as object or text, with or without token', async () => {
  const { token: _token, ...recorded } = mention('@**Echo Bot** hi');
  expect(await replay(bot, recorded)).toEqual({ content: 'hi' });
  expect(await replay(bot, JSON.stringify(directMessage('hi')))).toEqual({ content: 'hi' });
  expect(await replay(bot, directMessage('quiet'))).toBeUndefined();
});

test('replay handles the same payload again at each call', async () => {
  const recorded = mention('hi');
  expect([await replay(bot, recorded), await replay(bot, recorded)]).toHaveLength(2);
});

test('replay rejects with the failure of the handler, and on a malformed payload', async () => {
  await expect(replay(bot, directMessage('fail'))).rejects.toThrow('fails');
  for (const wrong of [{}, null, [], 'null'])
    await expect(replay(bot, wrong)).rejects.toThrow('not a webhook payload');
});
