import { expect, test } from 'vitest';

import type { Context } from '../context.ts';
import { delivered, FakeReplySender, testDispatcher } from './delivery-dispatcher.fixture.ts';

/** A handler whose calls end one by one when the test releases them. */
function gate() {
  const waiting: PromiseWithResolvers<string | undefined>[] = [];
  const texts: string[] = [];
  return {
    texts,
    handler: (ctx: Context) => {
      texts.push(ctx.text);
      const held = Promise.withResolvers<string | undefined>();
      waiting.push(held);
      return held.promise;
    },
    release: (reply?: string) => waiting.shift()?.resolve(reply),
  };
}

test('a repeated delivery waits for the running handler, or gets the reply of an ended one', async () => {
  const { handler, release, texts } = gate();
  const { dispatcher, clock, outcomes } = testDispatcher((bot) => bot.fallback(handler));
  const delivery = delivered();
  const first = dispatcher.accept(delivery);
  const joined = dispatcher.accept(delivery);
  await clock.advance(10);
  release('done');
  expect(await Promise.all([first, joined])).toEqual([{ content: 'done' }, { content: 'done' }]);
  await dispatcher.idle();
  expect(await dispatcher.accept(delivery)).toEqual({ content: 'done' });
  expect(texts).toHaveLength(1);
  expect(outcomes()).toEqual(['repeated', 'replied', 'repeated']);
});

test('a repeat of a failed delivery gets the same reference and does not run the handler', async () => {
  const { dispatcher, failures } = testDispatcher((bot) =>
    bot.fallback(() => {
      throw new Error('no database');
    }),
  );
  const delivery = delivered();
  const answers = [await dispatcher.accept(delivery), await dispatcher.accept(delivery)];
  const reference = failures[0]?.reference;
  const content = `Something went wrong. Reference ${reference}`;
  const error = `handler_failed, reference ${reference}`;
  expect(answers).toEqual([
    { content, error },
    { content, error },
  ]);
  expect(failures).toHaveLength(1);
});

test('messages of one conversation are handled in order, other conversations in parallel', async () => {
  const { handler, release, texts } = gate();
  const { dispatcher, clock } = testDispatcher((bot) => bot.fallback(handler));
  const answers = [
    delivered('one'),
    delivered('two'),
    delivered('elsewhere', 'other'),
    delivered('one again', 'RELEASES'),
  ].map(async (delivery) => dispatcher.accept(delivery));
  await clock.advance(0);
  expect(texts).toEqual(['one', 'elsewhere']);
  release('1');
  release('else');
  await clock.advance(0);
  expect(texts).toEqual(['one', 'elsewhere', 'two']);
  release('2');
  await clock.advance(0);
  release('3');
  expect((await Promise.all(answers)).map((reply) => reply?.content)).toEqual([
    '1',
    '2',
    'else',
    '3',
  ]);
});

test('with order parallel the messages of a conversation run at the same time', async () => {
  const { handler, release, texts } = gate();
  const { dispatcher, clock } = testDispatcher((bot) => bot.fallback(handler), {
    order: 'parallel',
  });
  void dispatcher.accept(delivered('one'));
  void dispatcher.accept(delivered('two'));
  await clock.advance(0);
  expect(texts).toEqual(['one', 'two']);
  release();
  release();
  await dispatcher.idle();
});

test('with order latest a message aborts the running handler and drops the waiting messages', async () => {
  const { handler, release, texts } = gate();
  const signals: AbortSignal[] = [];
  const { dispatcher, clock, failures } = testDispatcher(
    (bot) =>
      bot.fallback((ctx) => {
        signals.push(ctx.signal);
        return handler(ctx);
      }),
    { order: 'latest' },
  );
  const answers = ['one', 'two', 'three'].map(async (text) => dispatcher.accept(delivered(text)));
  await clock.advance(0);
  expect(signals[0]?.aborted).toBe(true);
  release('1');
  await clock.advance(0);
  release('3');
  expect(await Promise.all(answers)).toEqual([undefined, undefined, { content: '3' }]);
  expect(texts).toEqual(['one', 'three']);
  expect(failures).toEqual([]);
});

test('a message over maxWaiting is answered with a request to come back later', async () => {
  const { handler, release } = gate();
  const { dispatcher, clock } = testDispatcher((bot) => bot.fallback(handler), { maxWaiting: 1 });
  void dispatcher.accept(delivered());
  void dispatcher.accept(delivered());
  expect((await dispatcher.accept(delivered()))?.content).toContain('Too many messages wait');
  release();
  await clock.advance(0);
  release();
  await dispatcher.idle();
});

test('a reply after the deadline is sent by REST', async () => {
  const replySender = new FakeReplySender();
  const { handler, release } = gate();
  const { dispatcher, clock, reports, outcomes } = testDispatcher((bot) => bot.fallback(handler), {
    replySender,
  });
  const delivery = delivered();
  const answer = dispatcher.accept(delivery);
  await clock.advance(8500);
  expect(await answer).toBeUndefined();
  expect(await dispatcher.accept(delivery)).toBeUndefined();
  release('late');
  await dispatcher.idle();
  expect(replySender.sent).toEqual(['late']);
  expect(await dispatcher.accept(delivery)).toBeUndefined();
  expect(outcomes()).toEqual(['deferred', 'repeated', 'replied', 'repeated']);
  expect(reports[2]).toMatchObject({ via: 'rest' });
});

test('without an API key a reply after the deadline answers the repeated delivery', async () => {
  const { handler, release, texts } = gate();
  const { dispatcher, clock, warnings } = testDispatcher((bot) => bot.fallback(handler));
  const delivery = delivered();
  void dispatcher.accept(delivery);
  await clock.advance(10_000);
  const again = dispatcher.accept(delivery);
  release('late');
  expect(await again).toEqual({ content: 'late' });
  expect(texts).toHaveLength(1);
  expect(warnings).toMatchObject([{ code: 'api_missing' }]);
});

test('of several replies all but the last go by REST, in order', async () => {
  const replySender = new FakeReplySender();
  const { dispatcher } = testDispatcher(
    (bot) =>
      bot.fallback(async (ctx) => {
        await ctx.reply('one');
        await ctx.reply('two');
        return 'three';
      }),
    { replySender },
  );
  expect(await dispatcher.accept(delivered())).toEqual({ content: 'three' });
  expect(replySender.sent).toEqual(['one', 'two']);
});

test('a first reply is sent after 50 ms while its handler goes on', async () => {
  const replySender = new FakeReplySender();
  const { handler, release } = gate();
  const { dispatcher, clock } = testDispatcher(
    (bot) =>
      bot.fallback(async (ctx) => {
        await ctx.reply('on it');
        return handler(ctx);
      }),
    { replySender },
  );
  const answer = dispatcher.accept(delivered());
  await clock.advance(100);
  expect(replySender.sent).toEqual(['on it']);
  release('done');
  expect(await answer).toEqual({ content: 'done' });
});

test('without an API key a second reply fails with api_missing and the first is sent', async () => {
  const { dispatcher, failures } = testDispatcher((bot) =>
    bot.fallback(async (ctx) => {
      await ctx.reply('one');
      return 'two';
    }),
  );
  expect(await dispatcher.accept(delivered())).toEqual({ content: 'one' });
  await dispatcher.idle();
  expect(failures).toMatchObject([{ code: 'api_missing', error: { message: /api: \{ url/ } }]);
});

test('a failed reply by REST is sent again unless it has arrived', async () => {
  const replySender = new FakeReplySender();
  replySender.faults.push('unreachable', 'arrives, but the answer is lost');
  const { handler, release } = gate();
  const { dispatcher, clock, failures } = testDispatcher((bot) => bot.fallback(handler), {
    replySender,
  });
  void dispatcher.accept(delivered());
  await clock.advance(8000);
  release('late');
  await clock.advance(10_000);
  expect(replySender.sent).toEqual(['late']);
  expect(failures).toEqual([]);
});

test('a reply that the server refuses is reported once and not sent again', async () => {
  const replySender = new FakeReplySender();
  replySender.faults.push('refused');
  const { handler, release } = gate();
  const { dispatcher, clock, failures } = testDispatcher((bot) => bot.fallback(handler), {
    replySender,
  });
  void dispatcher.accept(delivered());
  await clock.advance(8000);
  release('late');
  await clock.advance(0);
  await dispatcher.idle();
  expect(failures).toMatchObject([{ code: 'api_rejected' }]);
  expect(replySender.sent).toEqual([`Something went wrong. Reference ${failures[0]?.reference}`]);
});

test('a handler is aborted at its time limit, and the next message of its conversation is handled', async () => {
  const replySender = new FakeReplySender();
  let signal: AbortSignal | undefined;
  const { dispatcher, clock, failures } = testDispatcher(
    (bot) =>
      bot
        .hears(/hang/, (ctx) => {
          ({ signal } = ctx);
          return new Promise<string>(() => {});
        })
        .fallback(() => 'next'),
    { replySender, handlerTimeoutMs: 60_000 },
  );
  void dispatcher.accept(delivered('hang'));
  const next = dispatcher.accept(delivered('go on'));
  await clock.advance(61_000);
  expect(signal?.aborted).toBe(true);
  expect(failures).toMatchObject([{ code: 'handler_timeout' }]);
  expect(await next).toBeUndefined();
  await dispatcher.idle();
  expect(replySender.sent).toEqual([expect.stringContaining('Something went wrong'), 'next']);
});

test('a bot over maxRepliesPerMinute pauses in that conversation only', async () => {
  const { dispatcher, clock, warnings, outcomes } = testDispatcher(
    (bot) => bot.fallback(() => 'again'),
    {
      maxRepliesPerMinute: 2,
    },
  );
  const say = async (topic: string) => (await dispatcher.accept(delivered('hi', topic)))?.content;
  expect([await say('loop'), await say('loop')]).toEqual(['again', 'again']);
  expect(await say('loop')).toContain('pause');
  expect(await say('loop')).toBeUndefined();
  expect(await say('other')).toBe('again');
  expect(warnings).toMatchObject([{ code: 'paused' }]);
  await clock.advance(7 * 60_000);
  expect(await say('loop')).toBe('again');
  expect(outcomes().filter((outcome) => outcome === 'paused')).toHaveLength(2);
});

test('abort() aborts the signal of every running handler', async () => {
  const reasons: unknown[] = [];
  const { dispatcher } = testDispatcher((bot) =>
    bot.fallback(
      (ctx) =>
        new Promise((resolve) =>
          ctx.signal.addEventListener('abort', () => {
            reasons.push(ctx.signal.reason);
            resolve('stopped');
          }),
        ),
    ),
  );
  const answer = dispatcher.accept(delivered());
  dispatcher.abort();
  expect(await answer).toEqual({ content: 'stopped' });
  expect(reasons).toMatchObject([{ code: 'shutting_down' }]);
});
