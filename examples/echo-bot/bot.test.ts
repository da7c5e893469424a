import { chat } from '@bellhop/bot/testing';
import { expect, test } from 'vitest';

import makeBot from './bot.ts';

test('it says back what it is told, without its own name', async () => {
  const ada = chat(makeBot).user('Ada');
  expect(await ada.says('hello there')).toEqual(['hello there']);
  expect(await ada.inChannel('general', 'greetings').says('hello')).toEqual(['hello']);
});

test('it says nothing to nothing', async () => {
  const ada = chat(makeBot).user('Ada');
  expect(await ada.inChannel('general', 'greetings').says('')).toEqual([]);
});
