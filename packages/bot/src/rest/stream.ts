import { rateLimitWait } from '@bellhop/client';

import { BotError } from '../bot-error.ts';
import type { Clock } from '../clock.ts';
import { clockSleep } from './clock-sleep.ts';
import { closeMarkdown } from './close-markdown.ts';
import type { Conversation } from './conversation.ts';
import { type Gathered, gatherText } from './gather-text.ts';
import type { PostedMessage, Rest } from './rest.ts';
import { splitMarkdown } from './split-markdown.ts';

export interface StreamReplyOptions {
  /** Ends the reply; what there is is kept, and marked. */
  readonly signal?: AbortSignal;
  /** The shortest time between two edits; 500 ms. Longer while the server says it is too often. */
  readonly everyMs?: number;
  /** The most characters of one message, at least 500; 10000. */
  readonly limit?: number;
  /** What is written under a reply that was ended; `*(stopped)*`. */
  readonly mark?: string;
  readonly clock?: Clock;
}

export interface StreamedReply {
  /** The messages it took; none for a text that is blank. */
  readonly messages: readonly PostedMessage[];
  readonly text: string;
  /** False where the signal ended it. */
  readonly complete: boolean;
}

const SLOWEST_MS = 10_000;

/**
 * Posts a text while it is being written: one message, edited at a bounded rate, valid Markdown at
 * every step, and at the end the text as it is. A text too long for a message goes on in another.
 * Throws what the text throws, after keeping and marking what there was, and BotError where the
 * server refuses a message or its edits, or cannot be reached for the last one.
 */
export async function streamReply(
  { rest, conversation }: { rest: Pick<Rest, 'post'>; conversation: Conversation },
  chunks: AsyncIterable<string> | Iterable<string>,
  options: StreamReplyOptions = {},
): Promise<StreamedReply> {
  const { everyMs = 500, limit = 10_000, mark = '*(stopped)*' } = options;
  const pause = clockSleep(options.clock);
  if (limit < 500)
    throw new RangeError('A message of a streamed reply holds at least 500 characters.');
  const gathered = gatherText(chunks, options.signal);
  const writer = messageWriter({ rest, conversation, limit });
  let interval = everyMs;
  try {
    for await (const text of gathered.news()) {
      const failure = await writer.show(text);
      if (failure) interval = Math.min(SLOWEST_MS, interval * 2);
      const waitMs = Math.max(interval, rateLimitWait(failure?.cause) ?? 0);
      const shown = failure === undefined && writer.shows(text);
      await pause(waitMs, shown ? untilWhole(gathered, text, options.signal) : options.signal);
    }
  } catch (error) {
    gathered.stop();
    throw error;
  }
  return conclude({ gathered, writer, mark });
}

/** Fires when a text has ended with what is shown already: there is no edit to wait for. */
function untilWhole(gathered: Gathered, shown: string, signal?: AbortSignal): AbortSignal {
  const whole = new AbortController();
  void gathered.ended.then(() => {
    if (gathered.outcome.kind === 'done' && gathered.text === shown) whole.abort();
  });
  return signal ? AbortSignal.any([signal, whole.signal]) : whole.signal;
}

interface Ending {
  readonly gathered: Gathered;
  readonly writer: MessageWriter;
  readonly mark: string;
}

async function conclude({ gathered, writer, mark }: Ending): Promise<StreamedReply> {
  const { text, outcome } = gathered;
  if (outcome.kind === 'done') await writer.finish(text);
  else if (text.trim() !== '') {
    const marking = writer.finish(text, mark);
    // What broke the text is what the caller has to know.
    await (outcome.kind === 'failed' ? marking.catch(() => undefined) : marking);
  }
  if (outcome.kind === 'failed') throw outcome.error;
  return { messages: writer.messages, text, complete: outcome.kind === 'done' };
}

interface MessageWriter {
  readonly messages: readonly PostedMessage[];
  /** Shows a partial text; answers with a failure that may pass, and throws one that does not. */
  show(text: string): Promise<BotError | undefined>;
  finish(text: string, mark?: string): Promise<void>;
  /** Whether finishing this text would change nothing. */
  shows(text: string): boolean;
}

interface Written {
  readonly rest: Pick<Rest, 'post'>;
  readonly conversation: Conversation;
  readonly limit: number;
}

/** Writes a growing text into as many messages as it takes. */
function messageWriter({ rest, conversation, limit }: Written): MessageWriter {
  const messages: PostedMessage[] = [];
  let posted: PostedMessage | undefined;
  let shown = '';
  /** How much of the text is in messages that are full, and the fences opened again behind them. */
  let full = 0;
  let reopened = '';

  async function put(content: string, patient: boolean): Promise<void> {
    if (content === shown || content.trim() === '') return;
    if (posted) await posted.edit(content, patient ? {} : { patience: false });
    else {
      posted = await rest.post(conversation, content);
      messages.push(posted);
    }
    shown = content;
  }

  /** Fills messages until the rest of the text fits into one; what that rest is. */
  async function fill(text: string, shape: (rest: string) => string): Promise<string> {
    for (;;) {
      const left = reopened + text.slice(full);
      if (shape(left).length <= limit) return left;
      const split = splitMarkdown(left, limit);
      await put(split.head, true);
      posted = undefined;
      shown = '';
      full += split.at - reopened.length;
      ({ reopened } = split);
    }
  }

  return {
    messages,
    async show(text) {
      try {
        await put(closeMarkdown(await fill(text, closeMarkdown)), false);
        return undefined;
      } catch (error) {
        // A message that may have been sent must not be sent again.
        if (posted && mayPass(error)) return error;
        throw error;
      }
    },
    shows: (text) => shown === reopened + text.slice(full),
    async finish(text, mark) {
      const shape = mark === undefined ? same : (left: string) => marked(left, mark);
      await put(shape(await fill(text, shape)), true);
    },
  };
}

const same = (text: string) => text;
const marked = (text: string, mark: string) => `${closeMarkdown(text).trimEnd()}\n\n${mark}`;

const mayPass = (error: unknown): error is BotError =>
  error instanceof BotError &&
  (error.code === 'api_unreachable' || rateLimitWait(error.cause) !== undefined);
