import { BotError } from '../bot-error.ts';
import { StreamedReply } from './streamed-reply.ts';

/** A reply in the conversation of the message. One with blank content is not sent. */
export interface Reply {
  /** Markdown. */
  readonly content: string;
  /** Describes a widget (`poll`, `todo`, `zform`): an object, or its JSON text. */
  readonly widget?: string | Readonly<Record<string, unknown>>;
}

/** The result of a handler: a reply, a reply that it has streamed, or nothing to stay silent. */
export type HandlerResult = string | Reply | StreamedReply | void | undefined | null;

/** A checked reply: its widget is JSON text. */
export interface CheckedReply extends Reply {
  readonly widget?: string;
  /** The failure that this reply reports, for the author of the bot: its code and its reference. */
  readonly error?: string;
  /** The rest of a long reply, which is sent in further messages. */
  readonly rest?: readonly string[];
}

/** Checks the result of a handler; undefined is silence. Throws BotError `reply_invalid`. */
export function toReply(result: unknown): CheckedReply | undefined {
  if (result === undefined || result === null || result instanceof StreamedReply) return undefined;
  const reply = typeof result === 'string' ? { content: result } : result;
  if (!isReply(reply)) {
    throw invalid();
  }
  const { content, widget } = reply;
  if (content.trim() === '') return undefined;
  if (widget === undefined) return { content };
  return { content, widget: typeof widget === 'string' ? widget : jsonOf(widget) };
}

function jsonOf(widget: object): string {
  try {
    return JSON.stringify(widget);
  } catch (cause) {
    throw invalid(cause);
  }
}

const invalid = (cause?: unknown) =>
  new BotError(
    'reply_invalid',
    'A handler returns a string, { content, widget } or nothing; a widget is JSON.',
    { cause },
  );

/** The JSON text that answers a delivery (spec, Replying with a message). */
export function replyBody(reply: CheckedReply | undefined): string {
  if (reply === undefined) return '{"response_not_required":true}';
  const { content, widget, error } = reply;
  return JSON.stringify({ content, widget_content: widget, error });
}

function isReply(value: unknown): value is Reply {
  return (
    typeof value === 'object' &&
    value !== null &&
    'content' in value &&
    typeof value.content === 'string'
  );
}
