import { expect, test } from 'vitest';

import { createBot } from '../create-bot.ts';
import { directMessage, mention } from '../example-payload.fixture.ts';
import { receive } from './receive.ts';

const bot = createBot({ email: 'echo-bot@chat.test', token: 'genuine' })
  .command('quiet', () => {})
  .command('fail', () => {
    throw new Error('fails');
  })
  .fallback((ctx) => ctx.text);

test('receive returns the reply to a payload given as object or text, with or without token', async () => {
  const { token: _token, ...recorded } = mention('@**Echo Bot** hi');
  expect(await receive(bot, recorded)).toEqual({ content: 'hi' });
  expect(await receive(bot, JSON.stringify(directMessage('hi')))).toEqual({ content: 'hi' });
  expect(await receive(bot, directMessage('quiet'))).toBeUndefined();
});

test('receive handles the same payload again at each call', async () => {
  const recorded = mention('hi');
  expect([await receive(bot, recorded), await receive(bot, recorded)]).toHaveLength(2);
});

test('receive rejects with the failure of the handler, and on a malformed payload', async () => {
  await expect(receive(bot, directMessage('fail'))).rejects.toThrow('fails');
  for (const wrong of [{}, null, [], 'null', 'no JSON'])
    await expect(receive(bot, wrong)).rejects.toThrow(
      new TypeError('The recording is not a webhook payload.'),
    );
});
