import { chat } from '@bellhop/bot/testing';
import { expect, test } from 'vitest';

import makeBot from './bot.ts';

test('the bot answers the commands ping and roll', async () => {
  const ada = chat(makeBot).user('Ada');
  expect(await ada.says('ping')).toEqual(['pong']);
  expect(await ada.says('roll 3 --sides 2')).toEqual([
    expect.stringMatching(/^You rolled [12], [12], [12]\.$/),
  ]);
});

test('the bot explains a wrong argument, and help lists the commands', async () => {
  const ada = chat(makeBot).user('Ada');
  expect(await ada.says('roll many')).toEqual([expect.stringContaining('a whole number')]);
  expect(await ada.says('help')).toEqual([expect.stringContaining('Check that the bot runs')]);
});

test('the bot returns a greeting', async () => {
  expect(await chat(makeBot).user('Ada').says('hi there')).toEqual(['Hello, Ada!']);
});
