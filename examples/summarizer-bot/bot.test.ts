import { chat } from '@bellhop/bot/testing';
import { expect, test } from 'vitest';

import makeBot from './bot.ts';

test('the summary is one message, edited while the model writes', async () => {
  const room = chat((options) =>
    makeBot(options, async function* (text) {
      for (const word of ['In short:', ' ', text.slice(0, 5), '.']) {
        await new Promise(setImmediate);
        yield word;
      }
    }),
  );
  const ada = room.user('Ada');
  expect(await ada.says('Hello, this is a long story.')).toEqual(['In short: Hello.']);
  expect(room.messages[1]?.edits.length).toBeGreaterThan(0);
  expect(await ada.inChannel('general', 'stories').says('')).toEqual([
    'Send me a text, and I summarize it.',
  ]);
});

test('a newer message stops the summary of the message before', async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const room = chat((options) =>
    makeBot(options, async function* (text, signal) {
      yield `About ${text}`;
      if (text !== 'one') return;
      begin();
      await new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      );
    }),
  );
  const ada = room.user('Ada');
  const first = ada.says('one');
  await begun;
  expect(await ada.says('two')).toContain('About two');
  await first;
  expect(room.messages.map(({ content: text }) => text)).toContainEqual(
    expect.stringMatching(/^About one\s+\*\(stopped\)\*$/),
  );
});

test('the default model returns the first sentence of each paragraph', async () => {
  const ada = chat(makeBot).user('Ada');
  expect(await ada.says('One. Two.\n\nThree! Four.')).toEqual(['One. Three!']);
});
