import { checkWidget } from '../chat/check-widget.ts';

/**
 * The response of a webhook as the server reads it: a reply, no reply, or a mistake.
 */
export type Interpretation =
  | { readonly kind: 'reply'; readonly content: string; readonly widget_content?: string }
  | { readonly kind: 'silence' }
  | {
      readonly kind: 'mistake';
      readonly fault: 'not_json' | 'not_object' | 'bad_widget';
      /** The mistake of a widget. */
      readonly detail?: string;
    };
/** An interpretation with the JSON value of the body; undefined if it is not JSON. */
export interface ReadAnswer {
  readonly read: Interpretation;
  readonly value: unknown;
}

const silence: Interpretation = { kind: 'silence' };

/**
 * A byte order mark, which some programs write before their JSON (RFC 8259, section 8.1: parsers
 * may ignore it).
 */
const BYTE_ORDER_MARK = /^\ufeff/;

/**
 * Reads the body of a 2xx response, whatever its Content-Type. It must be JSON: an object, or `""`
 * for no reply. Generic interface: no reply if `response_not_required` is true; else the deprecated
 * `response_string` is the reply; else `content`, with `widget_content`. Slack-compatible
 * interface: `text` is the reply. A missing or blank reply is no reply.
 */
export function readAnswer(body: string, interfaceType: number): ReadAnswer {
  let value: unknown;
  try {
    value = JSON.parse(body.replace(BYTE_ORDER_MARK, ''));
  } catch {
    return { read: { kind: 'mistake', fault: 'not_json' }, value: undefined };
  }
  return { read: interpret(value, interfaceType), value };
}

/** Reads the body of a 2xx response, as `readAnswer` does, where its JSON value is not needed. */
export const interpretAnswer = (body: string, interfaceType: number): Interpretation =>
  readAnswer(body, interfaceType).read;

function interpret(value: unknown, interfaceType: number): Interpretation {
  if (value === '') return silence;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { kind: 'mistake', fault: 'not_object' };
  const answer = value as Readonly<Record<string, unknown>>;
  if (interfaceType === 2) return said(answer['text']);
  if (isTrue(answer['response_not_required'])) return silence;
  if (Object.hasOwn(answer, 'response_string')) return said(answer['response_string']);
  if (!Object.hasOwn(answer, 'content')) return silence;
  const { content, widget_content } = answer;
  const wrong = checkWidget(widget_content);
  if (wrong !== undefined)
    return {
      kind: 'mistake',
      fault: 'bad_widget',
      detail: `widget_content of the answer is not usable: ${wrong}`,
    };
  const reply = said(content);
  return reply.kind === 'reply' && typeof widget_content === 'string'
    ? { ...reply, widget_content: widget_content.toWellFormed() }
    : reply;
}

function said(value: unknown): Interpretation {
  if (value === undefined || value === null) return silence;
  const content = typeof value === 'string' ? value : JSON.stringify(value);
  return content.trim() === '' ? silence : { kind: 'reply', content: content.toWellFormed() };
}

/** Empty lists and objects are false, as in Python, in which many bots are written. */
const isTrue = (value: unknown) =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);
