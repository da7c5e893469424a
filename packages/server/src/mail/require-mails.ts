import { ApiError, type RealmId } from '@bellhop/protocol';

import type { App } from '../engine/app.ts';
import type { Tx } from '../engine/call.ts';
import { countMails, secondsToday } from './count-mails.ts';

/** The most mails of a day to an address that users have named, all users together. */
export const DAILY_MAILS_TO_ADDRESS = 5;

/** The counter of the mails to an address. */
export const mailsTo = ({ secrets }: Pick<App, 'secrets'>, address: string): string =>
  `mails to ${secrets.mac(address.toLowerCase()).toString('base64')}`;

/**
 * Counts one mail in each of these counters, which come with their limits of a day. Throws
 * RATE_LIMIT_HIT if one of them is at its limit.
 */
export async function requireMails(
  tx: Tx,
  { realm_id, now }: { readonly realm_id: RealmId; readonly now: number },
  counters: readonly (readonly [subject: string, limit: number])[],
): Promise<void> {
  for (const [subject, limit] of counters)
    if ((await countMails(tx, { realm_id, subjects: [subject], limit, now })).size === 0)
      throw new ApiError('RATE_LIMIT_HIT', {
        message: 'Too many mails were asked for today: come back tomorrow.',
        data: { 'retry-after': secondsToday(now) },
      });
}
