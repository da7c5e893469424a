import { expect, test } from 'vitest';

import { memoryStore } from '../stores/memory-store.ts';
import { delivered, FakeReplySender, testDispatcher } from './delivery-dispatcher.fixture.ts';

const paragraph = (letter: string) => letter.repeat(5900);
const long = ['a', 'b', 'c'].map(paragraph).join('\n\n');

test('a reply of more than 10,000 characters is sent by REST in parts, at its paragraphs and in order', async () => {
  const replySender = new FakeReplySender();
  const { dispatcher, outcomes } = testDispatcher((bot) => bot.fallback(() => long), {
    replySender,
  });
  expect(await dispatcher.accept(delivered())).toBeUndefined();
  await dispatcher.idle();
  expect(replySender.sent).toEqual(['a', 'b', 'c'].map(paragraph));
  expect(outcomes()).toEqual(['deferred', 'replied']);
});

test('the parts of a long ctx.reply come after the replies before it and before those after it', async () => {
  const replySender = new FakeReplySender();
  const { dispatcher } = testDispatcher(
    (bot) =>
      bot.fallback(async (ctx) => {
        await ctx.reply('first');
        await ctx.reply(long);
        return 'last';
      }),
    { replySender },
  );
  const answer = await dispatcher.accept(delivered());
  await dispatcher.idle();
  expect(answer).toBeUndefined();
  expect(replySender.sent).toEqual(['first', ...['a', 'b', 'c'].map(paragraph), 'last']);
});

test('a code fence that a split closes is opened again in the next part, with its language', async () => {
  const replySender = new FakeReplySender();
  const code = Array.from({ length: 600 }, (_, at) => `const line${at} = ${at}; // a line`).join(
    '\n',
  );
  const { dispatcher } = testDispatcher((bot) => bot.fallback(() => `\`\`\`ts\n${code}\n\`\`\``), {
    replySender,
  });
  await dispatcher.accept(delivered());
  await dispatcher.idle();
  expect(replySender.sent.length).toBeGreaterThan(1);
  for (const part of replySender.sent) {
    expect(part.length).toBeLessThanOrEqual(10_000);
    expect(part).toMatch(/^```ts\nconst line\d+[^]*\n```$/);
  }
  const lines = replySender.sent.flatMap((part) => part.split('\n').slice(1, -1));
  expect(lines.join('\n')).toBe(code);
});

test('after a crash between two parts of a long reply the next process sends the others', async () => {
  const replySender = new FakeReplySender();
  const store = memoryStore();
  const crashing = {
    hasSent: replySender.hasSent,
    send: (...about: Parameters<FakeReplySender['send']>) =>
      replySender.sent.length === 1 ? new Promise<never>(() => {}) : replySender.send(...about),
  };
  const before = testDispatcher((bot) => bot.fallback(() => long), {
    replySender: crashing,
    store: { ...store, singleProcess: true },
  });
  void before.dispatcher.accept(delivered());
  await before.clock.advance(100);
  expect(replySender.sent).toEqual([paragraph('a')]);
  const after = testDispatcher((bot) => bot.fallback(() => 'handled again'), {
    replySender,
    store: { ...store, singleProcess: true },
  });
  await after.clock.advance(1000);
  await after.dispatcher.idle();
  expect(replySender.sent).toEqual(['a', 'b', 'c'].map(paragraph));
});

test('without the REST API a long reply says that it is cut, and onWarning is called', async () => {
  const { dispatcher, warnings } = testDispatcher((bot) => bot.fallback(() => long));
  const { content = '' } = (await dispatcher.accept(delivered())) ?? {};
  expect(content).toMatch(/^a+\n\n\*\(The reply is longer than one message/);
  expect(content.length).toBeLessThanOrEqual(10_000);
  expect(warnings).toMatchObject([{ code: 'api_missing' }]);
});

test('a reply that needs more than 20 messages fails with reply_invalid', async () => {
  const replySender = new FakeReplySender();
  const { dispatcher, failures } = testDispatcher(
    (bot) => bot.fallback(() => 'x'.repeat(201_000)),
    {
      replySender,
    },
  );
  expect((await dispatcher.accept(delivered()))?.content).toContain('Reference');
  expect(failures).toMatchObject([{ code: 'reply_invalid' }]);
});
