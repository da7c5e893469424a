import { ApiError, ChannelId, MessageId } from '@bellhop/protocol';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { BotError } from '../bot-error.ts';
import type { Conversation } from './conversation.ts';
import type { Rest } from './rest.ts';
import { splitMarkdown } from './split-markdown.ts';
import { streamReply } from './stream.ts';

const conversation: Conversation = { type: 'channel', channel_id: ChannelId.parse(3), topic: 'x' };

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

type Trouble = Error | undefined;

/** A server that writes down what it is told and when; an edit takes so many milliseconds. */
function recorder({ editMs = 20, troubles = [] as Trouble[] } = {}) {
  const log: { at: number; id: number; content: string }[] = [];
  let busy = 0;
  let overlaps = 0;
  const write = async (id: number, content: string) => {
    if (busy > 0) overlaps += 1;
    busy += 1;
    log.push({ at: Date.now(), id, content });
    await new Promise((resolve) => void setTimeout(resolve, editMs));
    busy -= 1;
    const trouble = troubles.shift();
    if (trouble) throw trouble;
  };
  let ids = 0;
  const rest: Pick<Rest, 'post'> = {
    post: async (_place, message) => {
      const id = ++ids;
      await write(id, typeof message === 'string' ? message : message.content);
      return {
        id: MessageId.parse(id),
        edit: (content) => write(id, content),
        remove: async () => {},
        react: async () => {},
      };
    },
  };
  return {
    to: { rest, conversation },
    log,
    contents: () => log.map(({ content }) => content),
    overlaps: () => overlaps,
    /** What the messages say at the end. */
    final: () => [...new Map(log.map(({ id, content }) => [id, content])).values()],
  };
}

const pause = (ms: number) => new Promise((resolve) => void setTimeout(resolve, ms));
async function* slowly(parts: readonly string[], everyMs: number) {
  for (const part of parts) {
    await pause(everyMs);
    yield part;
  }
}
async function settled<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  await vi.runAllTimersAsync();
  return work;
}
const rejected = (code: 'BAD_REQUEST' | 'RATE_LIMIT_HIT', data: object = {}) =>
  new BotError('api_rejected', 'no', { cause: new ApiError(code, { data: { ...data } }) });

test('stream resolves at once when the shown text is complete', async () => {
  const chat = recorder({ editMs: 0 });
  const whole = streamReply(chat.to, slowly(['All at once.'], 10));
  await vi.advanceTimersByTimeAsync(20);
  expect(await whole).toMatchObject({ text: 'All at once.', complete: true });
  const unclosed = streamReply(chat.to, slowly(['**Not', ' closed'], 10));
  await vi.advanceTimersByTimeAsync(400);
  expect(chat.contents()).toEqual(['All at once.', '**Not**']);
  await settled(unclosed);
  expect(chat.contents().at(-1)).toBe('**Not closed');
});

test('stream edits one message at most twice a second, one edit at a time', async () => {
  const chat = recorder({ editMs: 50 });
  const parts = Array.from({ length: 40 }, (_, index) => `word${index} `);
  const reply = await settled(streamReply(chat.to, slowly(parts, 100)));
  expect(reply).toMatchObject({ text: parts.join(''), complete: true, messages: [{ id: 1 }] });
  expect(chat.contents().at(-1)).toBe(parts.join(''));
  const gaps = chat.log.slice(1).map(({ at }, index) => at - (chat.log[index]?.at ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(500);
  expect(chat.log.length).toBeGreaterThan(6);
  expect(chat.overlaps()).toBe(0);
});

test('every edit of a stream is closed Markdown, the last one the whole text', async () => {
  const chat = recorder();
  await settled(
    streamReply(chat.to, slowly(['See **this', ':** `co', 'de`', '\n```js\nlet', ''], 600)),
  );
  expect(chat.contents()).toEqual([
    'See **this**',
    'See **this:** `co`',
    'See **this:** `code`',
    'See **this:** `code`\n```js\nlet\n```',
    'See **this:** `code`\n```js\nlet',
  ]);
});

test('stream posts a complete text once and a blank text never', async () => {
  const chat = recorder();
  await settled(streamReply(chat.to, ['all ', 'at once']));
  expect(chat.final()).toEqual(['all at once']);
  expect(chat.log.length).toBeLessThanOrEqual(2);
  const nothing = recorder();
  expect(await settled(streamReply(nothing.to, [' \n']))).toMatchObject({ messages: [] });
});

test('after a rate limit a stream sends the newest text and edits less often', async () => {
  const troubles = [undefined, rejected('RATE_LIMIT_HIT', { 'retry-after': 3 })];
  const chat = recorder({ editMs: 0, troubles });
  const parts = Array.from({ length: 60 }, () => 'x');
  await settled(streamReply(chat.to, slowly(parts, 100)));
  const times = chat.log.map(({ at }) => at);
  expect(times.slice(0, 5)).toEqual([100, 600, 3600, 4600, 5600]);
  expect(chat.contents()[2]).toHaveLength(35);
  expect(chat.contents().at(-1)).toBe('x'.repeat(60));
});

test('a stream repeats a lost edit and rejects on a refused one', async () => {
  const lost = recorder({ troubles: [undefined, new BotError('api_unreachable', 'gone')] });
  await settled(streamReply(lost.to, slowly(['a', 'b', 'c'], 600)));
  expect(lost.final()).toEqual(['abc']);
  const refused = recorder({ troubles: [undefined, rejected('BAD_REQUEST')] });
  let returned = false;
  const endless = (async function* () {
    try {
      for (;;) yield* slowly(['a'], 300);
    } finally {
      returned = true;
    }
  })();
  await expect(settled(streamReply(refused.to, endless))).rejects.toMatchObject({
    code: 'api_rejected',
  });
  expect(returned).toBe(true);
});

test('stream does not repeat a first message that may have arrived', async () => {
  const chat = recorder({ troubles: [new BotError('api_unreachable', 'no answer')] });
  const reply = settled(streamReply(chat.to, slowly(['a', 'b'], 600)));
  await expect(reply).rejects.toMatchObject({ code: 'api_unreachable' });
  expect(chat.log).toHaveLength(1);
});

test('an aborted stream leaves its text closed and marked', async () => {
  const chat = recorder();
  const leaving = new AbortController();
  const stuck = (async function* () {
    yield 'so **far';
    await new Promise(() => undefined);
  })();
  const reply = streamReply(chat.to, stuck, { signal: leaving.signal, mark: '(stopped)' });
  await vi.advanceTimersByTimeAsync(700);
  leaving.abort();
  expect(await settled(reply)).toMatchObject({ complete: false, text: 'so **far' });
  expect(chat.contents()).toEqual(['so **far**', 'so **far**\n\n(stopped)']);
  const early = recorder();
  const none = await streamReply(early.to, ['a'], { signal: leaving.signal });
  expect([none.messages, none.complete]).toEqual([[], false]);
});

test('stream marks the text and rejects when its source fails', async () => {
  const chat = recorder();
  const broken = (async function* () {
    yield 'half a `th';
    await pause(100);
    throw new Error('model gone');
  })();
  await expect(settled(streamReply(chat.to, broken))).rejects.toThrow('model gone');
  expect(chat.final()).toEqual(['half a `th`\n\n*(stopped)*']);
});

test('stream continues a long text in another message, at a paragraph', async () => {
  const chat = recorder();
  const paragraphs = Array.from({ length: 9 }, (_, index) =>
    `${index} ${'lorem '.repeat(30)}`.trim(),
  );
  const text = paragraphs.join('\n\n');
  const parts = text.match(/[^]{1,50}/g) ?? [];
  const reply = await settled(streamReply(chat.to, slowly(parts, 100), { limit: 800 }));
  expect(reply.messages.map(({ id }) => id)).toEqual([1, 2, 3]);
  expect(chat.final().join('\n\n')).toBe(text);
  expect(Math.max(...chat.contents().map(({ length }) => length))).toBeLessThanOrEqual(800);
});

describe('splitting', () => {
  test.each([
    ['after a paragraph', 'aaa\n\nbbb\n\nccc', 9, 'aaa\n\nbbb', 'ccc'],
    ['after a line', 'aaaa\nbbbb cc\ndddd', 13, 'aaaa\nbbbb cc', 'dddd'],
    ['after a word', 'aaaa bbbb cccc', 11, 'aaaa bbbb', 'cccc'],
    ['anywhere', 'aaaaaaaaaa', 4, 'aaaa', 'aaaaaa'],
    ['not within a character', 'aa😀aaa', 3, 'aa', '😀aaa'],
    ['outside a fence', 'aaaaaa\n\n```\nb\n\nb\n```\n', 16, 'aaaaaa', '```\nb\n\nb\n```\n'],
    [
      'within one that is too long',
      '```js\naaaa\nbbbb\ncccc',
      14,
      '```js\naaaa\n```',
      '```js\nbbbb\ncccc',
    ],
  ])('%s', (_what, text, limit, ...parts) => {
    const split = splitMarkdown(text, limit);
    expect([split.head, split.reopened + text.slice(split.at)]).toEqual(parts);
  });

  test('both parts are within the limit and only white space is lost', () => {
    const line = fc.stringMatching(/^[a-h]{10,30} [a-h ]{0,40}$/);
    const lines = fc.array(fc.oneof(line, line, fc.constantFrom('', '```js', '```', '**')), {
      minLength: 60,
      maxLength: 80,
    });
    fc.assert(
      fc.property(lines, (some) => {
        const text = some.join('\n').padEnd(600, ' a');
        const { head, at } = splitMarkdown(text, 500);
        expect(head.length).toBeLessThanOrEqual(500);
        expect(at).toBeGreaterThan(0);
        const words = (of: string) => of.replace(/[^a-z]/g, '').replaceAll('js', '');
        expect(words(head)).toBe(words(text.slice(0, at)));
      }),
    );
  });
});
