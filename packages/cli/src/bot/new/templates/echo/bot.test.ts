import { chat } from '@bellhop/bot/testing';
import { expect, test } from 'vitest';

import makeBot from './bot.ts';

test('the bot repeats a message', async () => {
  const ada = chat(makeBot).user('Ada');
  expect(await ada.says('hello')).toEqual(['hello']);
  expect(await ada.inChannel('general', 'greetings').says('hi all')).toEqual(['hi all']);
});
