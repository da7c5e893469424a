import { ApiError, ChannelId, MessageId } from '@bellhop/protocol';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { BotError } from '../bot-error.ts';
import type { Conversation } from './conversation.ts';
import type { StreamChunk } from './model-chunks.ts';
import type { Rest } from './rest.ts';
import { splitMarkdown } from './split-markdown.ts';
import { streamReply } from './stream-reply.ts';

const conversation: Conversation = { type: 'channel', channelId: ChannelId.parse(3), topic: 'x' };

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

/** A REST API that records each write with its time; a write takes `editMs` milliseconds. */
function recorder({ editMs = 20, failures = [] as (Error | undefined)[] } = {}) {
  const log: { at: number; id: number; content: string }[] = [];
  let busy = 0;
  let overlaps = 0;
  const write = async (id: number, content: string) => {
    if (busy > 0) overlaps += 1;
    busy += 1;
    log.push({ at: Date.now(), id, content });
    await new Promise((resolve) => void setTimeout(resolve, editMs));
    busy -= 1;
    const failure = failures.shift();
    if (failure) throw failure;
  };
  let ids = 0;
  const rest: Pick<Rest, 'post'> = {
    post: async (message) => {
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
    /** The last content of each message. */
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
async function* slowlyAny(chunks: readonly StreamChunk[]) {
  for (const chunk of chunks) {
    await pause(600);
    yield chunk;
  }
}
async function settled<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  await vi.runAllTimersAsync();
  return work;
}
const rejected = (code: 'BAD_REQUEST' | 'RATE_LIMIT_HIT', data: object = {}) =>
  new BotError('api_rejected', 'no', { cause: new ApiError(code, { data: { ...data } }) });

test('streamReply resolves at once when the shown text is complete', async () => {
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

test('streamReply edits one message at most twice a second, one edit at a time', async () => {
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

test('streamReply closes the Markdown of every edit except the last', async () => {
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

test('streamReply posts a complete text once and a blank text never', async () => {
  const chat = recorder();
  await settled(streamReply(chat.to, ['all ', 'at once']));
  expect(chat.final()).toEqual(['all at once']);
  expect(chat.log.length).toBeLessThanOrEqual(2);
  const nothing = recorder();
  expect(await settled(streamReply(nothing.to, [' \n']))).toMatchObject({ messages: [] });
});

test('streamReply sends the newest text after a rate limit and edits less often', async () => {
  const failures = [undefined, rejected('RATE_LIMIT_HIT', { 'retry-after': 3 })];
  const chat = recorder({ editMs: 0, failures });
  const parts = Array.from({ length: 60 }, () => 'x');
  await settled(streamReply(chat.to, slowly(parts, 100)));
  const times = chat.log.map(({ at }) => at);
  expect(times.slice(0, 5)).toEqual([100, 600, 3600, 4600, 5600]);
  expect(chat.contents()[2]).toHaveLength(35);
  expect(chat.contents().at(-1)).toBe('x'.repeat(60));
});

test('streamReply repeats a lost edit and rejects on a refused edit', async () => {
  const lost = recorder({ failures: [undefined, new BotError('api_unreachable', 'gone')] });
  await settled(streamReply(lost.to, slowly(['a', 'b', 'c'], 600)));
  expect(lost.final()).toEqual(['abc']);
  const refused = recorder({ failures: [undefined, rejected('BAD_REQUEST')] });
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

test('streamReply does not repeat a first message that may have arrived', async () => {
  const chat = recorder({ failures: [new BotError('api_unreachable', 'no answer')] });
  const reply = settled(streamReply(chat.to, slowly(['a', 'b'], 600)));
  await expect(reply).rejects.toMatchObject({ code: 'api_unreachable' });
  expect(chat.log).toHaveLength(1);
});

test('streamReply leaves an aborted text closed and marked', async () => {
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

test('streamReply marks the text and rejects when its source fails', async () => {
  const chat = recorder();
  const broken = (async function* () {
    yield 'half a `th';
    await pause(100);
    throw new Error('model gone');
  })();
  await expect(settled(streamReply(chat.to, broken))).rejects.toThrow('model gone');
  expect(chat.final()).toEqual(['half a `th`\n\n*(stopped)*']);
});

test('streamReply shows the call of a tool below the text until more text comes', async () => {
  const chat = recorder();
  const tool = { type: 'tool-call', toolCallId: '1', toolName: 'read_file' };
  const chunks = [{ status: 'Thinking' }, { text: 'I look **that' }, tool, '** up:', ' found.'];
  const reply = await settled(streamReply(chat.to, slowlyAny(chunks)));
  expect(chat.contents()).toEqual([
    '*Thinking*',
    'I look **that**',
    'I look **that**\n\n*read file...*',
    'I look **that** up:',
    'I look **that** up: found.',
  ]);
  expect(reply).toMatchObject({ text: 'I look **that** up: found.', messages: [{ id: 1 }] });
});

test('streamReply ends a reply of tools without text with a note', async () => {
  const chat = recorder();
  await settled(streamReply(chat.to, slowlyAny([{ status: 'Thinking' }, { type: 'finish' }])));
  expect(chat.final()).toEqual(['*(no answer)*']);
});

test('streamReply marks the text when the model fails or aborts', async () => {
  const failed = recorder();
  let returned = false;
  const source = (async function* () {
    try {
      yield 'Half';
      await pause(600);
      yield { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
      yield ' more';
    } finally {
      returned = true;
    }
  })();
  const reply = settled(streamReply(failed.to, source));
  await expect(reply).rejects.toThrow('The model failed: Overloaded');
  expect(failed.final()).toEqual(['Half\n\n*(stopped)*']);
  expect(returned).toBe(true);
  const aborted = recorder();
  const stopped = streamReply(aborted.to, slowlyAny(['Half', { type: 'abort' }]));
  expect(await settled(stopped)).toMatchObject({ complete: false, text: 'Half' });
  expect(aborted.final()).toEqual(['Half\n\n*(stopped)*']);
});

test('streamReply continues a long text in another message, at a paragraph', async () => {
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

describe('splitMarkdown splits', () => {
  test.each([
    ['at a paragraph break', 'aaa\n\nbbb\n\nccc', 9, 'aaa\n\nbbb', 'ccc'],
    ['at a line break', 'aaaa\nbbbb cc\ndddd', 13, 'aaaa\nbbbb cc', 'dddd'],
    ['at a space', 'aaaa bbbb cccc', 11, 'aaaa bbbb', 'cccc'],
    ['a word at the limit', 'aaaaaaaaaa', 4, 'aaaa', 'aaaaaa'],
    ['before a surrogate pair', 'aa😀aaa', 3, 'aa', '😀aaa'],
    [
      'before a fence that fits into the next message',
      'aaaaaa\n\n```\nb\n\nb\n```\n',
      16,
      'aaaaaa',
      '```\nb\n\nb\n```\n',
    ],
    [
      'inside a fence that is too long',
      '```js\naaaa\nbbbb\ncccc',
      14,
      '```js\naaaa\n```',
      '```js\nbbbb\ncccc',
    ],
  ])('%s', (_what, text, limit, ...parts) => {
    const split = splitMarkdown(text, limit);
    expect([split.head, split.reopened + text.slice(split.at)]).toEqual(parts);
  });

  test('a text within the limit, losing only white space', () => {
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
