import { type CheckResult, fault, ok, warning } from './finding.ts';
import { internalsIn } from './internals.ts';
import { interpret } from './interpret.ts';
import type { PostResult } from './post.ts';
import { quoted } from './quoted.ts';
import type { Target } from './target.ts';

const CLOSE_TO_DEADLINE = 0.8;
const SECOND = 1000;
const seconds = (ms: number) => `${(ms / SECOND).toFixed(1)} s`;

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
  if (interpretation.kind === 'silence' && interpretation.mistake) return interpretation.mistake;
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
  if (answer.kind === 'fault' && answer.fault === 'timeout')
    return fault(
      answer.reason,
      'Strangers can keep its connections open: answer an invalid request with 400 or 401 at once.',
    );
  if (answer.kind !== 'response')
    return warning(
      answer.reason,
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
