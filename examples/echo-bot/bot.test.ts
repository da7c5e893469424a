import { chat } from '@bellhop/bot/testing';
import { expect, test } from 'vitest';

import makeBot from './bot.ts';

test('the bot repeats a message without the mention of the bot', async () => {
  const ada = chat(makeBot).user('Ada');
  expect(await ada.says('hello there')).toEqual(['hello there']);
  expect(await ada.inChannel('general', 'greetings').says('hello')).toEqual(['hello']);
});

test('the bot does not reply to a message without text', async () => {
  const ada = chat(makeBot).user('Ada');
  expect(await ada.inChannel('general', 'greetings').says('')).toEqual([]);
});
