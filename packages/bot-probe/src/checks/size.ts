import { setTimeout as sleep } from 'node:timers/promises';

import { troubleInRefusal } from '../assess.ts';
import type { Check, Group } from '../check.ts';
import { fault, ok, type Outcome, warning } from '../finding.ts';
import { isAlive } from '../is-alive.ts';
import type { Answer } from '../post.ts';
import type { Target } from '../target.ts';
import { shown } from './credentials.ts';

const MIB = 1024 * 1024;
const LARGE = 2 * MIB;
const ENDLESS = 24 * MIB;
const ANNOUNCED = 1024 * MIB;
const STEP = 64 * 1024;

const LIMIT =
  'Strangers keep it reading and may fill its memory: refuse bodies over about 1 MiB with 413 before parsing, and close the connection.';

/** Judges what is neither accepted nor ignored; the endpoint must have survived it. */
async function assessed(answer: Answer, target: Target, judge: () => Outcome): Promise<Outcome> {
  if (!(await isAlive(target)))
    return fault(`${shown(answer)}, and gone since`, `One request ends it. ${LIMIT}`);
  if (answer.kind === 'answer' && answer.status >= 200 && answer.status < 300)
    return fault(shown(answer), LIMIT);
  if (answer.kind === 'connection') return ok(`it hung up (${answer.reason})`);
  return judge();
}

const large: Check = {
  check: 'a stranger’s body of 2 MiB',
  async run(target) {
    const { bot_email } = target.identity;
    const body = JSON.stringify({ bot_email, token: 'x', data: 'x'.repeat(LARGE) });
    const answer = await target.send({ body });
    return assessed(answer, target, () => {
      const trouble = troubleInRefusal(answer, target);
      if (trouble) return trouble;
      return answer.kind === 'answer' && answer.status === 413
        ? ok(shown(answer))
        : warning(shown(answer), `It read all of it before it looked at the token. ${LIMIT}`);
    });
  },
};

const announced: Check = {
  check: 'a body announced as 1 GiB',
  async run(target) {
    const answer = await target.send({
      headers: { 'content-length': String(ANNOUNCED) },
      body: stalling('{"data":"'),
      timeoutMs: Math.min(target.slowMs, 3000),
    });
    return assessed(answer, target, () =>
      answer.kind === 'answer'
        ? (troubleInRefusal(answer, target) ?? ok(shown(answer)))
        : warning(
            'it waits for the rest',
            'Whether it would read all of it cannot be known from here: refuse what announces too much with 413 at once.',
          ),
    );
  },
};

const endless: Check = {
  check: 'a body without an end',
  async run(target) {
    const answer = await target.send({ body: flood(), timeoutMs: Math.max(target.slowMs, 3000) });
    return assessed(answer, target, () => {
      const read = `${(answer.sentBytes / MIB).toFixed(1)} MiB`;
      if (answer.sentBytes >= ENDLESS)
        return fault(`it read ${read} and would have read on`, LIMIT);
      if (answer.kind === 'answer')
        return troubleInRefusal(answer, target) ?? ok(`${shown(answer)} after at most ${read}`);
      return warning(
        `it stopped reading after at most ${read}, without an answer`,
        'The connection stays open for as long as the stranger likes: answer 413 and close it.',
      );
    });
  },
};

/** Bodies that are too large for any message. */
export const size: Group = { group: 'size', checks: [large, announced, endless] };

async function* flood() {
  yield '{"data":"';
  const step = Buffer.alloc(STEP, 'x');
  for (let sent = 0; sent < ENDLESS; sent += STEP) yield step;
  yield* stalling('');
}

/** Begins and never ends; whoever asks for more finds out that it is over. */
export async function* stalling(beginning: string) {
  yield beginning;
  for (;;) {
    await sleep(20);
    yield '';
  }
}
