/** A reply to the conversation the message came from. Blank content says nothing. */
export interface Reply {
  /** Markdown. */
  readonly content: string;
  /** Describes a widget (`poll`, `todo`, `zform`): an object, or its JSON text. */
  readonly widget_content?: string | Readonly<Record<string, unknown>>;
}

/** What a handler may return: a reply, or nothing to stay silent. */
export type HandlerResult = string | Reply | void | undefined | null;

/** Checks what a handler returned; undefined is silence. */
export function toReply(result: unknown): Reply | undefined {
  if (result === undefined || result === null) return undefined;
  const reply = typeof result === 'string' ? { content: result } : result;
  if (!isReply(reply)) {
    throw new TypeError('A handler returns a string, { content, widget_content } or nothing.');
  }
  return reply.content.trim() === '' ? undefined : reply;
}

/** The JSON text that answers a delivery. */
export function replyBody(reply: Reply | undefined): string {
  if (reply === undefined) return '{"response_not_required":true}';
  const { content, widget_content: widget } = reply;
  if (widget === undefined) return JSON.stringify({ content });
  return JSON.stringify({
    content,
    widget_content: typeof widget === 'string' ? widget : JSON.stringify(widget),
  });
}

function isReply(value: unknown): value is Reply {
  return (
    typeof value === 'object' &&
    value !== null &&
    'content' in value &&
    typeof value.content === 'string'
  );
}
