import { expect, test } from 'vitest';

import { calledBots, concernedBots } from './called-bots.ts';

const inChannel = { isFromBot: false, participants: undefined };

test('a direct message calls everybody in it', () => {
  const message = { isFromBot: false, participants: [1, 2], mentioned: [], followers: [] };
  expect([...calledBots(message)]).toEqual([
    [1, 'direct_message'],
    [2, 'direct_message'],
  ]);
});

test('a message in a channel calls whom it mentions, and as a follow-up who is subscribed to its topic', () => {
  const called = calledBots({ ...inChannel, mentioned: [1, 2], followers: [2, 3] });
  expect(Object.fromEntries(called)).toEqual({ 1: 'mention', 2: 'mention', 3: 'follow_up' });
});

test('a message of a bot calls nobody', () => {
  const message = { isFromBot: true, participants: [1], mentioned: [2], followers: [3] };
  expect(calledBots(message).size).toBe(0);
  expect(calledBots({ ...message, participants: undefined }).size).toBe(0);
});

test('a change of a message concerns its sender and who is in it, or subscribed to its topic', () => {
  expect([...concernedBots({ sender: 1, participants: [1, 2], followers: [] })]).toEqual([1, 2]);
  expect([...concernedBots({ sender: 1, participants: undefined, followers: [3] })]).toEqual([
    1, 3,
  ]);
});
