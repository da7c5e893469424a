import { setTimeout as sleep } from 'node:timers/promises';

import { directMessage } from './payloads.ts';
import type { PostResult } from './post.ts';
import type { Target } from './target.ts';

const TRIES = 3;
const WAIT_MS = 100;

/** Whether the endpoint answers. */
export const isAlive = async (target: Target): Promise<boolean> =>
  (await greet(target)).kind === 'response';

/** Sends a delivery with a wrong token, which does not run the bot, until there is a response. */
export async function greet(target: Target): Promise<PostResult> {
  const wrongToken = 'x'.repeat(32);
  const payload = { ...directMessage(target), token: wrongToken };
  for (let tried = 1; ; tried++) {
    const answer = await target.deliver(payload, { signedBy: wrongToken });
    if (answer.kind === 'response' || tried === TRIES) return answer;
    await sleep(WAIT_MS);
  }
}
