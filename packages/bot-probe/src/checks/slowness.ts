import { setTimeout as sleep } from 'node:timers/promises';

import { troubleInRefusal } from '../assess.ts';
import type { Check, Group } from '../check.ts';
import { fault, ok, warning } from '../finding.ts';
import { isAlive } from '../is-alive.ts';
import { directMessage } from '../payloads.ts';
import { shown } from './credentials.ts';

const STEPS = 40;

const drip: Check = {
  check: 'a body that comes byte by byte',
  async run(target) {
    const body = JSON.stringify({ ...directMessage(target), token: 'x'.repeat(32) });
    const slow = target.send({
      headers: { 'content-length': String(Buffer.byteLength(body)) },
      body: dripping(body, target.slowMs / STEPS),
      timeoutMs: target.slowMs,
    });
    await sleep(target.slowMs / STEPS);
    const others = await isAlive(target);
    const answer = await slow;
    if (!others)
      return fault(
        'nobody else was answered meanwhile',
        'One slow stranger stops it for everybody: serve requests side by side.',
      );
    const after = `after ${(answer.ms / 1000).toFixed(1)} s`;
    if (answer.kind === 'connection') return ok(`it hung up ${after}`);
    if (answer.kind === 'answer')
      return troubleInRefusal(answer, target) ?? ok(`${shown(answer)} ${after}`);
    return warning(
      `still waiting ${after}`,
      'Whether it ever hangs up cannot be known from here: give a request about 10 s to arrive (requestTimeout of a Node server; 5 minutes unless set).',
    );
  },
};

/** Clients that take their time. */
export const slowness: Group = { group: 'slowness', checks: [drip] };

async function* dripping(body: string, everyMs: number) {
  for (let at = 0; ; at++) {
    // It never comes to its end: the last bytes are kept back.
    yield at < body.length / 2 ? body.charAt(at) : '';
    await sleep(everyMs);
  }
}
