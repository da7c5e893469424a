import { chat } from '@bellhop/bot/testing';
import { expect, test } from 'vitest';

import makeBot from './bot.ts';

test('a poll takes one vote of each user in a conversation, and its message shows the count', async () => {
  const room = chat(makeBot, { name: 'Poll' });
  const [ada, grace] = ['Ada', 'Grace'].map((name) => room.user(name).inChannel('team', 'lunch'));
  await ada?.says('poll "Lunch today?" pizza "tomato soup"');
  await ada?.says('vote 1');
  await grace?.says('vote 1');
  await grace?.says('vote 2');
  const [question, poll, vote] = room.messages;
  expect(question?.content).toContain('Lunch today?');
  expect(poll?.content).toBe('**Lunch today?**\n\n1. pizza: 1\n2. tomato soup: 1');
  expect(poll?.edits).toHaveLength(3);
  expect(vote?.reactions).toEqual(['check']);
  expect(await ada?.says('close')).toEqual([expect.stringContaining('2. tomato soup: 1')]);
  expect(poll?.content).toContain('closed');
  expect(await grace?.says('vote 1')).toEqual([expect.stringContaining('no poll here')]);
});

test('each conversation has its own poll, and only one', async () => {
  const ada = chat(makeBot).user('Ada');
  await ada.inChannel('team', 'lunch').says('poll "Lunch?" pizza soup');
  expect(await ada.says('vote 1')).toEqual([expect.stringContaining('no poll here')]);
  const lunch = ada.inChannel('team', 'lunch');
  expect(await lunch.says('vote 3')).toEqual(['A number from 1 to 2, please.']);
  expect(await lunch.says('poll "Dinner?" fish rice')).toEqual([
    'One poll at a time: `close` the other first.',
  ]);
});

test('a reaction to the poll with the emoji of a number is a vote, other reactions are none', async () => {
  const room = chat(makeBot);
  const [ada, grace] = [room.user('Ada'), room.user('Grace')];
  await ada.inChannel('team', 'lunch').says('poll "Lunch?" pizza soup');
  const poll = room.messages[1];
  await ada.reacts('one');
  await grace.reacts('two');
  await grace.reacts('three');
  await grace.reacts('tada');
  expect(poll?.content).toBe('**Lunch?**\n\n1. pizza: 1\n2. soup: 1');
  await ada.reacts('two');
  expect(poll?.content).toContain('2. soup: 2');
});
