import { attemptsOf, type Attempt } from '@bellhop/jobs';

import type { App } from '../../engine/app.ts';
import type { LoadedDelivery } from './load-delivery.ts';

/** People wait at most this long for a reply or for the notice that there is none yet. */
const MAX_SILENCE_SECONDS = 30;

/** A retry comes up to this much later than its schedule says. */
const MAX_JITTER = 1.2;

/** Sent once to the conversation of a delivery that is tried again for longer. */
export const WAIT_NOTICE =
  'The bot does not answer yet. The server tries again and says here when it gives up.';

/** Marks the attempt after which the notice was sent. */
export const WITH_NOTICE = { notice: true };
const hasNotice = (detail: unknown): boolean =>
  typeof detail === 'object' && detail !== null && 'notice' in detail;

/**
 * Whether the conversation must hear now that the bot does not answer yet: the next attempt may end too
 * late for that, and no earlier attempt sent the notice.
 */
export async function isNoticeDue(
  { db, config, now }: Pick<App, 'db' | 'config' | 'now'>,
  { message }: LoadedDelivery,
  { jobId, failures, afterSeconds }: Pick<Attempt, 'jobId' | 'failures'> & { afterSeconds: number },
): Promise<boolean> {
  const scheduled = (config.webhookRetrySeconds[failures] ?? 0) * MAX_JITTER;
  const nextEnd = now() + Math.max(scheduled, afterSeconds) + config.webhookTimeoutMs / 1000;
  if (nextEnd <= message.timestamp + MAX_SILENCE_SECONDS) return false;
  const earlier = await attemptsOf(db.kysely, jobId);
  return !earlier.some(({ detail }) => hasNotice(detail));
}
