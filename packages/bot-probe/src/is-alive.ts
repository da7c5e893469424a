import { setTimeout as sleep } from 'node:timers/promises';

import { directMessage } from './payloads.ts';
import type { Target } from './target.ts';

const TRIES = 3;
const BETWEEN_MS = 100;

/** Whether the endpoint answers at all; asked without running the bot. */
export async function isAlive(target: Target): Promise<boolean> {
  const stranger = 'x'.repeat(32);
  for (let tried = 0; tried < TRIES; tried++) {
    if (tried > 0) await sleep(BETWEEN_MS);
    const payload = { ...directMessage(target), token: stranger };
    const answer = await target.deliver(payload, { signedBy: stranger });
    if (answer.kind === 'answer') return true;
  }
  return false;
}
