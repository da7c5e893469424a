import { chat } from '@bellhop/bot/testing';
import { expect, test } from 'vitest';

import makeBot from './bot.ts';

test('the ticket dialog checks each answer and posts the ticket to the channel', async () => {
  const room = chat(makeBot, { name: 'Help Desk' });
  const ada = room.user('Ada');
  for (const text of ['hi', 'ticket', 'Hm', 'cancel']) await ada.says(text);
  for (const text of ['ticket', 'The printer burns', 'very', 'high', '+44 20 7946 0000'])
    await ada.says(text);
  expect(room.transcript()).toEqual([
    'Ada: hi',
    'Help Desk: Say `ticket`, and I will find somebody to help you.',
    'Ada: ticket',
    'Help Desk: What is wrong, in a few words?',
    'Ada: Hm',
    'Help Desk: A little more, please.\n\nWhat is wrong, in a few words?',
    'Ada: cancel',
    'Help Desk: Cancelled.',
    'Ada: ticket',
    'Help Desk: What is wrong, in a few words?',
    'Ada: The printer burns',
    'Help Desk: How urgent is it: low, normal or high?',
    'Ada: very',
    expect.stringContaining('Please say low, normal or high.'),
    'Ada: high',
    'Help Desk: We will call you. Which number?',
    'Ada: +44 20 7946 0000',
    'Help Desk: @**Ada|2** asks for help. Urgency: high, call +44 20 7946 0000.',
    'Help Desk: Thank you. It is in #**help desk>The printer burns**.',
  ]);
  expect(room.messages.at(-2)?.destination).toEqual({
    channel: 'help desk',
    topic: 'The printer burns',
  });
});

test('the ticket dialog skips the telephone number unless the urgency is high', async () => {
  const ada = chat(makeBot).user('Ada');
  for (const text of ['ticket', 'Stop', 'A new keyboard']) await ada.says(text);
  expect(await ada.says('Low')).toEqual([
    '@**Ada|2** asks for help. Urgency: low.',
    'Thank you. It is in #**help desk>A new keyboard**.',
  ]);
});
