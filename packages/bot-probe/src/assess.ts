import { fault, ok, type Outcome, warning } from './finding.ts';
import { internalsIn } from './internals.ts';
import type { Answer } from './post.ts';
import type { Target } from './target.ts';

/** What an answer to a genuine delivery means: a reply, silence, or nothing a server can use. */
export type Meaning =
  | { readonly kind: 'reply'; readonly content: string }
  | { readonly kind: 'silence' }
  | { readonly kind: 'useless'; readonly outcome: Outcome };

const CLOSE_TO_DEADLINE = 0.8;
const SECOND = 1000;
const seconds = (ms: number) => `${(ms / SECOND).toFixed(1)} s`;

const FAILURE_SHOWN =
  'The server shows people "Failure!", tells the owner, and does not ask again: answer every delivery whose token is right with 200 and a JSON object.';

/** Reads an answer to a delivery whose credentials are right. */
export function meaningOf(answer: Answer): Meaning {
  const useless = (outcome: Outcome): Meaning => ({ kind: 'useless', outcome });
  if (answer.kind === 'timeout')
    return useless(
      fault(
        `no answer within ${seconds(answer.ms)}`,
        'Over the deadline the server hangs up and delivers again, so the handler runs twice: answer in time, and say the rest by REST.',
      ),
    );
  if (answer.kind === 'too_large')
    return useless(fault(answer.reason, 'The server reads no more than that: answer shorter.'));
  if (answer.kind !== 'answer')
    return useless(
      fault(
        `no answer: ${answer.reason}`,
        'The server takes the bot for unavailable and delivers again: look in its log for why it broke off.',
      ),
    );
  const { status, body } = answer;
  if (status < 200 || status > 299)
    return useless(fault(`status ${status}${quoted(body)}`, FAILURE_SHOWN));
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    const what = body === '' ? 'an empty body' : `a body that is no JSON${quoted(body)}`;
    return useless(
      fault(
        `${status} with ${what}`,
        'The server shows people "Failure!": answer a JSON object, {"response_not_required": true} for silence.',
      ),
    );
  }
  if (value === '')
    return useless(
      warning(
        `${status} with ""`,
        'Old servers understand this as silence, and only that: answer {"response_not_required": true}.',
      ),
    );
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return useless(
      fault(
        `${status} with JSON that is no object${quoted(body)}`,
        'The server shows people "Failure!": answer a JSON object.',
      ),
    );
  return objectMeaning(new Map<string, unknown>(Object.entries(value)), useless);
}

function objectMeaning(
  fields: ReadonlyMap<string, unknown>,
  useless: (outcome: Outcome) => Meaning,
): Meaning {
  const widget = fields.get('widget_content');
  if (widget !== undefined && widget !== null && typeof widget !== 'string')
    return useless(
      fault(
        'widget_content is not a text',
        'The server refuses the reply: put the widget there as JSON text (JSON.stringify).',
      ),
    );
  if (fields.get('response_not_required')) return { kind: 'silence' };
  const said = fields.get('response_string') ?? fields.get('content');
  if (said === undefined || said === null) return { kind: 'silence' };
  if (typeof said !== 'string')
    return useless(
      warning(
        'a reply that is not a text',
        'Servers turn it into text each in their own way: answer a string.',
      ),
    );
  return said.trim() === '' ? { kind: 'silence' } : { kind: 'reply', content: said };
}

/** Judges the answer to a delivery whose credentials are right. */
export function assessGenuine(answer: Answer, { identity, deadlineMs }: Target): Outcome {
  const meaning = meaningOf(answer);
  const body = answer.kind === 'answer' ? answer.body : '';
  const leak = leakIn(body, identity.token);
  if (leak)
    return fault(
      `${leak} in the answer`,
      'What is in an answer is shown to people or to the owner, and logged: answer with a reference number and keep the rest in the log.',
    );
  if (meaning.kind === 'useless') return meaning.outcome;
  const what = meaning.kind === 'silence' ? 'silence' : `reply${quoted(meaning.content)}`;
  const happened = `${what} in ${Math.round(answer.ms)} ms`;
  return answer.ms > deadlineMs * CLOSE_TO_DEADLINE
    ? warning(
        happened,
        `A server gives up after ${seconds(deadlineMs)}, and this was close: answer sooner and say the rest by REST.`,
      )
    : ok(happened);
}

/** Judges the answer to what should be refused; undefined if it was refused as it should be. */
export function troubleInRefusal(answer: Answer, { identity }: Target): Outcome | undefined {
  if (answer.kind === 'timeout')
    return fault(
      `no answer within ${seconds(answer.ms)}`,
      'Strangers can make it hang, and with it a connection each: answer what cannot be understood with 400 or 401 at once.',
    );
  if (answer.kind !== 'answer')
    return warning(
      `no answer: ${answer.reason}`,
      'It hung up, or broke: only its log can tell. An answer of 400 or 401 is clearer.',
    );
  const leak = leakIn(answer.body, identity.token);
  if (leak)
    return fault(
      `status ${answer.status} with ${leak}`,
      'Anybody may read this: answer strangers with a bare status, and keep the rest in the log.',
    );
  if (answer.status >= 500)
    return warning(
      `status ${answer.status}`,
      'Strangers make it fail inside, which fills its log and hides real failures: check the input and answer 400 or 401.',
    );
  return undefined;
}

function leakIn(body: string, token: string): string | undefined {
  if (token.length > 0 && body.includes(token)) return 'the token';
  const inside = internalsIn(body);
  return inside && `what looks like ${inside}`;
}

const QUOTED = 40;

/** The beginning of a text, in one line. */
export function quoted(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line === '') return '';
  return ` "${line.length > QUOTED ? `${line.slice(0, QUOTED)}…` : line}"`;
}
