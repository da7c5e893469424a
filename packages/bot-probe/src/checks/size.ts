import { setTimeout as sleep } from 'node:timers/promises';

import { problemInRefusal } from '../assess.ts';
import type { Check, CheckGroup } from '../check.ts';
import { type CheckResult, fault, ok, warning } from '../finding.ts';
import { isAlive } from '../is-alive.ts';
import { isSuccess, type PostResult } from '../post.ts';
import type { Target } from '../target.ts';
import { shown } from './credentials.ts';

const MIB = 1024 * 1024;
const LARGE_BODY = 2 * MIB;
const ENDLESS_BODY = 24 * MIB;
const DECLARED_LENGTH = 1024 * MIB;
const CHUNK = 64 * 1024;

const LIMIT =
  'Strangers can fill its memory: refuse bodies over about 1 MiB with 413 before parsing, and close the connection.';

/**
 * A fault if the endpoint is gone or has accepted the body, ok if it closed the connection; else what
 * `assess` returns.
 */
async function assessOversized(
  answer: PostResult,
  target: Target,
  assess: () => CheckResult,
): Promise<CheckResult> {
  if (!(await isAlive(target)))
    return fault(`${shown(answer)}, then no answers at all`, `One request stops it. ${LIMIT}`);
  if (isSuccess(answer)) return fault(shown(answer), LIMIT);
  if (answer.kind === 'fault' && answer.fault === 'closed') return ok(answer.reason);
  return assess();
}

const large: Check = {
  check: 'a body of 2 MiB with a wrong token',
  async run(target) {
    const { botEmail } = target.identity;
    const body = JSON.stringify({ bot_email: botEmail, token: 'x', data: 'x'.repeat(LARGE_BODY) });
    const answer = await target.send({ body });
    return assessOversized(answer, target, () => {
      const problem = problemInRefusal(answer, target);
      if (problem) return problem;
      return answer.kind === 'response' && answer.status === 413
        ? ok(shown(answer))
        : warning(shown(answer), `It read the whole body before it checked the token. ${LIMIT}`);
    });
  },
};

const declared: Check = {
  check: 'a content-length of 1 GiB',
  async run(target) {
    const answer = await target.send({
      headers: { 'content-length': String(DECLARED_LENGTH) },
      body: stalling('{"data":"'),
      timeoutMs: Math.min(target.slowMs, 3000),
    });
    return assessOversized(answer, target, () =>
      answer.kind === 'response'
        ? (problemInRefusal(answer, target) ?? ok(shown(answer)))
        : warning(
            'it waits for the body',
            'The probe cannot see whether it would read all of it: refuse a content-length over the limit with 413 at once.',
          ),
    );
  },
};

const endless: Check = {
  check: 'an endless body',
  async run(target) {
    const answer = await target.send({ body: flood(), timeoutMs: Math.max(target.slowMs, 3000) });
    return assessOversized(answer, target, () => {
      const read = `${(answer.sentBytes / MIB).toFixed(1)} MiB`;
      if (answer.sentBytes >= ENDLESS_BODY)
        return fault(`it read all ${read} without refusing them`, LIMIT);
      if (answer.kind === 'response')
        return problemInRefusal(answer, target) ?? ok(`${shown(answer)} after at most ${read}`);
      return warning(
        `it stopped reading after at most ${read}, without an answer`,
        'A stranger can keep the connection open: answer with 413 and close it.',
      );
    });
  },
};

/** Bodies that are larger than any delivery. */
export const size: CheckGroup = { group: 'size', checks: [large, declared, endless] };

async function* flood() {
  yield '{"data":"';
  const chunk = Buffer.alloc(CHUNK, 'x');
  for (let sent = 0; sent < ENDLESS_BODY; sent += CHUNK) yield chunk;
  yield* stalling('');
}

/** A body that begins and never ends. Its empty chunks let the sender notice a closed connection. */
async function* stalling(beginning: string) {
  yield beginning;
  for (;;) {
    await sleep(20);
    yield '';
  }
}
