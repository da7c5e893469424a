import { chat } from '@bellhop/bot/testing';
import { expect, test } from 'vitest';

import makeBot from './bot.ts';

test('it answers commands', async () => {
  const ada = chat(makeBot).user('Ada');
  expect(await ada.says('ping')).toEqual(['pong']);
  expect(await ada.says('roll 3 --sides 2')).toEqual([
    expect.stringMatching(/^You rolled [12], [12], [12]\.$/),
  ]);
});

test('it shows what was wrong with a command, and lists all of them', async () => {
  const ada = chat(makeBot).user('Ada');
  expect(await ada.says('roll many')).toEqual([expect.stringContaining('a whole number')]);
  expect(await ada.says('help')).toEqual([expect.stringContaining('Whether the bot is there')]);
});

test('it greets who greets it', async () => {
  expect(await chat(makeBot).user('Ada').says('hi there')).toEqual(['Hello, Ada!']);
});
