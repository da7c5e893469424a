import { chat } from '@bellhop/bot/testing';
import { expect, test } from 'vitest';

import makeBot, { type Model, type ToolCall, type Turn } from './bot.ts';

const call = (name: string, input = ''): ToolCall => ({ id: name, toolCall: { name, input } });

/** A model that yields one list of chunks of the script for each request. */
function scripted(...script: (string | ToolCall)[][]) {
  const asked: Turn[][] = [];
  const model: Model = async function* (turns) {
    asked.push([...turns]);
    yield* script.shift() ?? [];
  };
  const use = {
    weather: (place: string) => `${place}: rain`,
    broken: () => {
      throw new Error('no network');
    },
  };
  return { asked, room: chat((options) => makeBot(options, { model, use })) };
}

test('the agent calls a tool and answers with its result, in one message', async () => {
  const { asked, room } = scripted(
    ['Let me see. ', call('weather', 'Oslo')],
    ['It rains in Oslo.'],
  );
  const ada = room.user('Ada');
  expect(await ada.says('What is the weather?')).toEqual(['Let me see. It rains in Oslo.']);
  expect(asked[1]?.at(-1)).toEqual({ role: 'tool', call: 'weather', content: 'Oslo: rain' });
});

test('the model gets the error of a tool that fails or does not exist', async () => {
  const { asked, room } = scripted([call('broken'), call('toString')], ['I cannot say.']);
  expect(await room.user('Ada').says('hi')).toEqual(['I cannot say.']);
  expect(asked[1]?.slice(-2)).toMatchObject([
    { content: 'The tool failed: no network' },
    { content: 'There is no tool toString.' },
  ]);
});

test('the agent answers later messages in the topic without a mention, until a user says forget', async () => {
  const { asked, room } = scripted(['Hello.'], ['Still here.']);
  const ada = room.user('Ada').inChannel('general', 'agents');
  expect(await ada.says('hello')).toEqual(['Hello.']);
  expect(await ada.writes('and now?')).toEqual(['Still here.']);
  expect(asked[1]).toEqual([
    { role: 'user', content: 'hello' },
    { role: 'assistant', content: 'Hello.' },
    { role: 'user', content: 'and now?' },
  ]);
  await ada.says('forget');
  expect(await ada.writes('hello?')).toEqual([]);
});

test('the agent gives up after five rounds of tools', async () => {
  const endless = Array.from({ length: 9 }, () => [call('weather')]);
  const { asked, room } = scripted(...endless);
  expect(await room.user('Ada').says('hi')).toEqual([expect.stringContaining('too many steps')]);
  expect(asked).toHaveLength(5);
});

test('the default model counts words', async () => {
  expect(await chat(makeBot).user('Ada').says('one two three')).toEqual(['I count 3 words.']);
});
