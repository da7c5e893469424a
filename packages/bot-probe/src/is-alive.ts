import { setTimeout as sleep } from 'node:timers/promises';

import { directMessage } from './payloads.ts';
import type { Target } from './target.ts';

const TRIES = 3;
const WAIT_MS = 100;

/** Whether the endpoint answers a delivery with a wrong token, which does not run the bot. */
export async function isAlive(target: Target): Promise<boolean> {
  const wrongToken = 'x'.repeat(32);
  for (let tried = 0; tried < TRIES; tried++) {
    if (tried > 0) await sleep(WAIT_MS);
    const payload = { ...directMessage(target), token: wrongToken };
    const answer = await target.deliver(payload, { signedBy: wrongToken });
    if (answer.kind === 'response') return true;
  }
  return false;
}
