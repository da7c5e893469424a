import { chat } from '@bellhop/bot/testing';
import { expect, test } from 'vitest';

import makeBot from './bot.ts';

test('the bot repeats a question until the answer is valid', async () => {
  const room = chat(makeBot);
  const ada = room.user('Ada');
  for (const text of ['order', 'Margherita', 'many', '2']) await ada.says(text);
  expect(room.transcript()).toEqual([
    'Ada: order',
    'Bot: Which pizza?',
    'Ada: Margherita',
    'Bot: How many Margherita?',
    'Ada: many',
    expect.stringContaining('From 1 to 20, please.'),
    'Ada: 2',
    'Bot: Ordered: 2 × Margherita.',
  ]);
});

test('cancel ends the dialog', async () => {
  const ada = chat(makeBot).user('Ada');
  await ada.says('order');
  await ada.says('cancel');
  expect(await ada.says('2')).toEqual(['Say `order` to order a pizza.']);
});
