import { type CheckResult, fault, ok, warning } from './finding.ts';
import { internalsIn } from './internals.ts';
import type { PostResult } from './post.ts';
import type { Target } from './target.ts';

/** The interpretation of the answer to a genuine delivery. `unusable`: a server cannot use it. */
export type Interpretation =
  | { readonly kind: 'reply'; readonly content: string }
  | { readonly kind: 'silence' }
  | { readonly kind: 'unusable'; readonly result: CheckResult };

const CLOSE_TO_DEADLINE = 0.8;
const SECOND = 1000;
const seconds = (ms: number) => `${(ms / SECOND).toFixed(1)} s`;

const FAILURE_SHOWN =
  'The server shows "Failure!" in the conversation, notifies the owner and does not deliver again: answer every delivery whose token is right with 200 and a JSON object.';

/** Interprets the result of a delivery with valid credentials. */
export function interpret(answer: PostResult): Interpretation {
  const unusable = (result: CheckResult): Interpretation => ({ kind: 'unusable', result });
  if (answer.kind === 'timeout')
    return unusable(
      fault(
        `no answer within ${seconds(answer.ms)}`,
        'After the deadline the server closes the connection and delivers again, so the handler runs twice: answer in time, and send later replies by REST.',
      ),
    );
  if (answer.kind === 'too_large')
    return unusable(
      fault(answer.reason, 'The server does not read a longer answer: make it shorter.'),
    );
  if (answer.kind !== 'response')
    return unusable(
      fault(
        `no answer: ${answer.reason}`,
        'The server treats the bot as unavailable and delivers again: look in the log of the bot for the reason.',
      ),
    );
  const { status, body } = answer;
  if (status < 200 || status > 299)
    return unusable(fault(`status ${status}${quoted(body)}`, FAILURE_SHOWN));
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    const what = body === '' ? 'an empty body' : `a body that is not JSON${quoted(body)}`;
    return unusable(
      fault(
        `${status} with ${what}`,
        'The server shows "Failure!" in the conversation: answer with a JSON object, or {"response_not_required": true} for silence.',
      ),
    );
  }
  if (value === '')
    return unusable(
      warning(
        `${status} with ""`,
        'Only old servers take this as silence: answer {"response_not_required": true}.',
      ),
    );
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return unusable(
      fault(
        `${status} with JSON that is not an object${quoted(body)}`,
        'The server shows "Failure!" in the conversation: answer with a JSON object.',
      ),
    );
  return interpretFields(new Map<string, unknown>(Object.entries(value)), unusable);
}

function interpretFields(
  fields: ReadonlyMap<string, unknown>,
  unusable: (result: CheckResult) => Interpretation,
): Interpretation {
  const widget = fields.get('widget_content');
  if (widget !== undefined && widget !== null && typeof widget !== 'string')
    return unusable(
      fault(
        'widget_content is not a string',
        'The server refuses the reply: set widget_content to JSON text (JSON.stringify).',
      ),
    );
  if (fields.get('response_not_required')) return { kind: 'silence' };
  const content = fields.get('response_string') ?? fields.get('content');
  if (content === undefined || content === null) return { kind: 'silence' };
  if (typeof content !== 'string')
    return unusable(
      warning(
        'a reply that is not a string',
        'Servers convert it to text in different ways: make the content a string.',
      ),
    );
  return content.trim() === '' ? { kind: 'silence' } : { kind: 'reply', content };
}

/** Assesses the answer to a delivery with valid credentials. */
export function assessGenuine(answer: PostResult, { identity, deadlineMs }: Target): CheckResult {
  const interpretation = interpret(answer);
  const body = answer.kind === 'response' ? answer.body : '';
  const leak = leakIn(body, identity.token);
  if (leak)
    return fault(
      `${leak} in the answer`,
      'The server shows answers in the conversation or to the owner, and logs them: answer with a reference number and write details only to the log of the bot.',
    );
  if (interpretation.kind === 'unusable') return interpretation.result;
  const what =
    interpretation.kind === 'silence' ? 'silence' : `reply${quoted(interpretation.content)}`;
  const happened = `${what} in ${Math.round(answer.ms)} ms`;
  return answer.ms > deadlineMs * CLOSE_TO_DEADLINE
    ? warning(
        happened,
        `A server stops waiting after ${seconds(deadlineMs)}: answer sooner, and send later replies by REST.`,
      )
    : ok(happened);
}

/** The problem of an answer to a request that must be refused; undefined if it has none. */
export function problemInRefusal(
  answer: PostResult,
  { identity }: Target,
): CheckResult | undefined {
  if (answer.kind === 'timeout')
    return fault(
      `no answer within ${seconds(answer.ms)}`,
      'Strangers can keep its connections open: answer an invalid request with 400 or 401 at once.',
    );
  if (answer.kind !== 'response')
    return warning(
      `no answer: ${answer.reason}`,
      'It closed the connection or crashed; only its log shows which. Answer with 400 or 401 instead.',
    );
  const leak = leakIn(answer.body, identity.token);
  if (leak)
    return fault(
      `status ${answer.status} with ${leak}`,
      'Anybody can read this: answer an invalid request with a status alone, and write details only to the log.',
    );
  if (answer.status >= 500)
    return warning(
      `status ${answer.status}`,
      'Strangers can fill its log with internal errors, which hides real failures: check the input and answer with 400 or 401.',
    );
  return undefined;
}

function leakIn(body: string, token: string): string | undefined {
  if (token.length > 0 && body.includes(token)) return 'the token';
  const internals = internalsIn(body);
  return internals && `what looks like ${internals}`;
}

const MAX_QUOTED = 40;

/** The first 40 characters of a text on one line, in quotation marks after a space. */
export function quoted(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line === '') return '';
  return ` "${line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED)}…` : line}"`;
}
