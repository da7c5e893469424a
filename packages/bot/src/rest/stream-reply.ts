import { rateLimitWait } from '@bellhop/client/plain';

import { BotError } from '../bot-error.ts';
import type { Clock } from '../clock.ts';
import { clockSleep } from './clock-sleep.ts';
import { closeMarkdown } from './close-markdown.ts';
import type { Destination } from './conversation.ts';
import { type GatheredText, gatherText } from './gather-text.ts';
import type { StreamChunk } from './model-chunks.ts';
import type { PostedMessage } from './posted-message.ts';
import type { Rest } from './rest.ts';
import { splitMarkdown } from './split-markdown.ts';
import { StreamedReply } from './streamed-reply.ts';

/** How a streamed reply is shown. */
export interface StreamOptions {
  /** The shortest time between two edits; default: 500 ms. A failed edit doubles it, up to 10 s. */
  readonly everyMs?: number;
  /** The most characters of one message, at least 500; default: 10000. */
  readonly limit?: number;
  /** Appended to a reply that stopped or failed; default: `*(stopped)*`. */
  readonly mark?: string;
}

export interface StreamReplyOptions extends StreamOptions {
  /** Stops the reply; the text so far is kept and marked. */
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
}

const MAX_INTERVAL_MS = 10_000;

/**
 * Posts a text while it is being produced: one message, edited at a limited rate, with closed Markdown
 * until the last edit writes the text unchanged. A text longer than `limit` continues in another
 * message. A status is shown below the text until more text comes. If the text fails, marks what was
 * posted and throws the error. Throws BotError if the server
 * refuses a message or an edit, or is unreachable for the first message or the last edit.
 */
export async function streamReply(
  { rest, conversation }: { rest: Pick<Rest, 'post'>; conversation: Destination },
  chunks: AsyncIterable<StreamChunk> | Iterable<StreamChunk>,
  options: StreamReplyOptions = {},
): Promise<StreamedReply> {
  const { everyMs = 500, limit = 10_000, mark = '*(stopped)*' } = options;
  const sleep = clockSleep(options.clock);
  if (limit < 500)
    throw new RangeError('The `limit` of a streamed reply must be at least 500 characters.');
  const gathered = gatherText(chunks, options.signal);
  const writer = messageWriter({ rest, conversation, limit });
  let interval = everyMs;
  try {
    for await (const { text, status } of gathered.updates()) {
      const failure = await writer.show(text, status);
      if (failure) interval = Math.min(MAX_INTERVAL_MS, interval * 2);
      const waitMs = Math.max(interval, rateLimitWait(failure?.cause) ?? 0);
      const shown = failure === undefined && writer.shows(text);
      await sleep(waitMs, shown ? untilComplete(gathered, text, options.signal) : options.signal);
    }
  } catch (error) {
    gathered.stop();
    throw error;
  }
  return finishReply({ gathered, writer, mark });
}

/** Aborts when the text ends and is shown already: no edit has to wait. */
function untilComplete(gathered: GatheredText, shown: string, signal?: AbortSignal): AbortSignal {
  const complete = new AbortController();
  void gathered.ended.then(() => {
    if (gathered.state.kind === 'done' && gathered.text === shown) complete.abort();
  });
  return signal ? AbortSignal.any([signal, complete.signal]) : complete.signal;
}

interface StreamEnd {
  readonly gathered: GatheredText;
  readonly writer: MessageWriter;
  readonly mark: string;
}

async function finishReply({ gathered, writer, mark }: StreamEnd): Promise<StreamedReply> {
  const { text, state } = gathered;
  const isBlank = text.trim() === '' && writer.messages.length === 0;
  if (state.kind === 'done') await writer.finish(text);
  else if (!isBlank) {
    const marking = writer.finish(text, mark);
    // The caller gets the error of the text, not of the marking.
    await (state.kind === 'failed' ? marking.catch(() => undefined) : marking);
  }
  if (state.kind === 'failed') throw state.error;
  return new StreamedReply(writer.messages, text, state.kind === 'done');
}

interface MessageWriter {
  readonly messages: readonly PostedMessage[];
  /** Shows a partial text and a status. Resolves with a temporary failure, and throws any other. */
  show(text: string, status: string | undefined): Promise<BotError | undefined>;
  finish(text: string, mark?: string): Promise<void>;
  /** Whether the message shows exactly this text. */
  shows(text: string): boolean;
}

interface WriterOptions {
  readonly rest: Pick<Rest, 'post'>;
  readonly conversation: Destination;
  readonly limit: number;
}

/** Writes a growing text into as many messages as it takes. */
function messageWriter({ rest, conversation, limit }: WriterOptions): MessageWriter {
  const messages: PostedMessage[] = [];
  let posted: PostedMessage | undefined;
  let shown = '';
  /** How much of the text is in full messages, and the fences reopened after them. */
  let fullLength = 0;
  let reopened = '';

  async function put(content: string, isRetried: boolean): Promise<void> {
    if (content === shown || content.trim() === '') return;
    if (posted) await posted.edit(content, isRetried ? {} : { retryPolicy: false });
    else {
      posted = await rest.post(content, conversation);
      messages.push(posted);
    }
    shown = content;
  }

  /** Posts full messages until the rest of the text fits into one. Returns that rest. */
  async function fill(text: string, format: (rest: string) => string): Promise<string> {
    for (;;) {
      const left = reopened + text.slice(fullLength);
      if (format(left).length <= limit) return left;
      const split = splitMarkdown(left, limit);
      await put(split.head, true);
      posted = undefined;
      shown = '';
      fullLength += split.at - reopened.length;
      ({ reopened } = split);
    }
  }

  return {
    messages,
    async show(text, status) {
      const format = (left: string) => withStatus(closeMarkdown(left), status);
      try {
        await put(format(await fill(text, format)), false);
        return undefined;
      } catch (error) {
        // A first message that may have arrived must not be sent again.
        if (posted && isTemporary(error)) return error;
        throw error;
      }
    },
    shows: (text) => shown === reopened + text.slice(fullLength),
    async finish(text, mark) {
      const format = mark === undefined ? unchanged : (left: string) => marked(left, mark);
      const last = format(await fill(text, format));
      // Only a status was shown, and no text has come.
      await put(last.trim() === '' && messages.length > 0 ? NOTHING_SAID : last, true);
    },
  };
}

const NOTHING_SAID = '*(no answer)*';

const unchanged = (text: string) => text;
const marked = (text: string, mark: string) => `${closeMarkdown(text).trimEnd()}\n\n${mark}`.trim();

/** A text with an italic line below it. */
const withStatus = (text: string, status: string | undefined) => {
  const line = status?.replaceAll(/[*\n]+/g, ' ').trim();
  return line ? `${text.trimEnd()}\n\n*${line}*`.trim() : text;
};

const isTemporary = (error: unknown): error is BotError =>
  error instanceof BotError &&
  (error.code === 'api_unreachable' || rateLimitWait(error.cause) !== undefined);
