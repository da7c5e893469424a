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

test('a recording is answered, as an object or as text, with or without its token', async () => {
  const { token: _token, ...recorded } = mention('@**Echo Bot** hi');
  expect(await replay(bot, recorded)).toEqual({ content: 'hi' });
  expect(await replay(bot, JSON.stringify(directMessage('hi')))).toEqual({ content: 'hi' });
  expect(await replay(bot, directMessage('quiet'))).toBeUndefined();
});

test('a recording may be replayed again and again', async () => {
  const recorded = mention('hi');
  expect([await replay(bot, recorded), await replay(bot, recorded)]).toHaveLength(2);
});

test('what fails is not hidden, and neither is what is no recording', async () => {
  await expect(replay(bot, directMessage('fail'))).rejects.toThrow('fails');
  for (const wrong of [{}, null, [], 'null'])
    await expect(replay(bot, wrong)).rejects.toThrow('no payload');
});
