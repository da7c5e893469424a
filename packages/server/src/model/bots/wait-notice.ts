import { attemptsOf, type Attempt } from '@bellhop/jobs';
import { isWaitNoticeDue } from '@bellhop/protocol';

import type { App } from '../../engine/app.ts';
import type { LoadedDelivery } from './load-delivery.ts';

/** A retry comes at most this factor later than its schedule. */
const MAX_JITTER = 1.2;

/** Marks the attempt after which the notice was sent. */
export const WITH_NOTICE = { notice: true };
const hasNotice = (detail: unknown): boolean =>
  typeof detail === 'object' && detail !== null && 'notice' in detail;

/**
 * Whether the conversation must get the notice now that the bot does not answer yet: the next
 * attempt may end too late for it, and no earlier attempt sent it.
 */
export async function isNoticeDue(
  { db, config, now }: Pick<App, 'db' | 'config' | 'now'>,
  { message }: LoadedDelivery,
  { jobId, failures, afterSeconds }: Pick<Attempt, 'jobId' | 'failures'> & { afterSeconds: number },
): Promise<boolean> {
  const scheduled = (config.webhookRetrySeconds[failures] ?? 0) * MAX_JITTER;
  const nextEndAt = now() + Math.max(scheduled, afterSeconds) + config.webhookTimeoutMs / 1000;
  if (!isWaitNoticeDue({ sentAt: message.timestamp, nextEndAt })) return false;
  const earlier = await attemptsOf(db.kysely, jobId);
  return !earlier.some(({ detail }) => hasNotice(detail));
}
