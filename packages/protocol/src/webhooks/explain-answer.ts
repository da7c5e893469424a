import type { DeliveryFault } from './bot-deliveries/bot-delivery.ts';
import { firstNotJson } from './first-not-json.ts';
import type { ReadAnswer } from './interpret-answer.ts';

/**
 * The meaning of an answer, for the author of a bot: `no content: did you mean "content" for
 * "text"?`
 */
export interface AnswerExplanation {
  /** Quotes nothing of the answer. */
  readonly words: string;
  /** The place in the answer. */
  readonly near?: string;
  /**
   * The fault of an answer that the server can use: a reply with the key `error`, by which a bot says
   * that it failed, or a silence with the reply under another key.
   */
  readonly fault?: Extract<DeliveryFault, 'bot_error' | 'misnamed_reply'>;
}

/** Keys that authors write for the reply, by other products and by habit. */
const LOOKALIKES: ReadonlySet<string> = new Set([
  'answer',
  'body',
  'content',
  'markdown',
  'message',
  'msg',
  'output',
  'reply',
  'response',
  'result',
  'text',
]);

/** Explains the body of a 2xx response that `readAnswer` has read. */
export function explainAnswer(
  body: string,
  interfaceType: number,
  { read, value }: ReadAnswer,
): AnswerExplanation {
  if (read.kind === 'reply')
    return replied(value as Readonly<Record<string, unknown>>, interfaceType);
  if (read.kind === 'mistake') {
    if (read.fault === 'not_json') return notJson(body);
    if (read.fault === 'not_object') return { words: notObject(value) };
    return { words: read.detail ?? '' };
  }
  return whySilent(value, interfaceType === 2 ? 'text' : 'content');
}

function replied(
  answer: Readonly<Record<string, unknown>>,
  interfaceType: number,
): AnswerExplanation {
  if (answer['error'])
    return { words: 'replied, and reports an error of the bot', fault: 'bot_error' };
  const generic = Object.hasOwn(answer, 'response_string') ? 'response_string' : 'content';
  const key = interfaceType === 2 ? 'text' : generic;
  if (typeof answer[key] === 'string') return { words: 'replied' };
  return { words: `replied with JSON as text: "${key}" is no string` };
}

function whySilent(answer: unknown, wanted: string): AnswerExplanation {
  const silent = (why: string) => ({ words: `${why}: silent` });
  if (typeof answer !== 'object' || answer === null) return silent('an empty JSON string');
  const keys = Object.keys(answer);
  if (keys.length === 0) return silent('{}');
  if ('response_not_required' in answer && answer.response_not_required)
    return silent('response_not_required');
  if (keys.includes(wanted)) return silent(`a blank ${wanted}`);
  const meant = keys.find((key) => key !== wanted && LOOKALIKES.has(key.toLowerCase()));
  if (meant === undefined) return silent(`no ${wanted}`);
  const words = `no ${wanted}: did you mean "${wanted}" for "${meant}"?`;
  return { words, fault: 'misnamed_reply' };
}

function notObject(value: unknown): string {
  if (Array.isArray(value)) return 'a JSON list, not an object';
  // Its value may be a secret.
  if (typeof value === 'number') return 'a JSON number, not an object';
  if (typeof value !== 'string') return `JSON ${JSON.stringify(value)}, not an object`;
  try {
    const inner: unknown = JSON.parse(value);
    if (typeof inner === 'object' && inner !== null)
      return 'JSON encoded twice: send the object itself, not its text as a string';
  } catch {
    // An ordinary text.
  }
  return 'a JSON string, not an object: send {"content": "..."}';
}

const NEAR = 40;

function notJson(body: string): AnswerExplanation {
  if (body.trim() === '') return { words: 'an empty answer, not JSON: answer {} for silence' };
  const at = firstNotJson(body);
  const before = body.slice(0, at);
  const line = before.split('\n').length;
  const column = at - before.lastIndexOf('\n');
  const near = body.slice(Math.max(0, at - NEAR / 2), at + NEAR).trim();
  return { words: `not JSON at line ${line}, column ${column}`, near };
}
