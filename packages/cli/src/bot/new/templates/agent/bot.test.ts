import { chat } from '@bellhop/bot/testing';
import { expect, test } from 'vitest';

import makeBot, { type Model, type Turn } from './bot.ts';

/** A model that yields these answers and keeps the messages that it got. */
function scripted(...answers: string[]) {
  const asked: (readonly Turn[])[] = [];
  const model: Model = async function* (turns) {
    asked.push(turns);
    yield { status: 'Thinking' };
    yield* answers.shift()?.match(/\S+\s*/g) ?? [];
  };
  return { asked, room: chat((options) => makeBot(options, model)) };
}

test('the bot answers follow-ups in a topic without a mention, and the model gets the earlier messages', async () => {
  const { asked, room } = scripted('A bell is ringing.', 'The one at the door.');
  const ada = room.user('Ada').inChannel('general', 'noise');
  expect(await ada.says('What is that?')).toEqual(['A bell is ringing.']);
  expect(await ada.writes('Which one?')).toEqual(['The one at the door.']);
  expect(asked[1]).toEqual([
    { role: 'user', content: 'Ada: What is that?' },
    { role: 'assistant', content: 'A bell is ringing.' },
    { role: 'user', content: 'Ada: Which one?' },
  ]);
});

test('without a model the bot says which variables to set', async () => {
  const ada = chat(makeBot).user('Ada');
  expect(await ada.says('hello')).toEqual([expect.stringContaining('MODEL_URL')]);
});
