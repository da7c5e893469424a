import { expect, test } from 'vitest';

import { createBot } from '../create-bot.ts';
import { chat } from '../testing/chat/chat.ts';

const parts = [
  { type: 'start' },
  { type: 'text-delta', id: '1', text: 'Hello, ' },
  { type: 'text-delta', id: '1', text: 'world.' },
  { type: 'finish', finishReason: 'stop' },
];

test('ctx.stream takes a text, a promise of chunks and the result of streamText', async () => {
  const readable = new ReadableStream<string>({
    start(controller) {
      controller.enqueue('read');
      controller.close();
    },
  });
  const sources = ['whole', Promise.resolve(['a', 'b']), { fullStream: parts }, readable] as const;
  for (const [at, expected] of ['whole', 'ab', 'Hello, world.', 'read'].entries()) {
    const room = chat((options) =>
      createBot(options).fallback((ctx) => ctx.stream(sources[at] ?? [])),
    );
    expect(await room.user('Ada').says('hi')).toEqual([expected]);
  }
});

test('ctx.stream resolves with its messages, which can be edited', async () => {
  const room = chat((options) =>
    createBot(options).fallback(async (ctx) => {
      const { messages, text, complete } = await ctx.stream(['One', ' two']);
      await messages[0]?.edit(`${text}: ${complete}`);
    }),
  );
  expect(await room.user('Ada').says('hi')).toEqual(['One two: true']);
});

test('a model that fails leaves its text, marked, and fails the handler', async () => {
  const room = chat((options) =>
    createBot(options).fallback((ctx) =>
      ctx.stream(['Half', { type: 'error', errorText: 'too busy' }]),
    ),
  );
  expect(await room.user('Ada').says('hi')).toEqual([
    'Half\n\n*(stopped)*',
    expect.stringContaining('Something went wrong'),
  ]);
  expect(room.failures).toMatchObject([{ error: { message: 'The model failed: too busy' } }]);
});
