import type { RealmId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Tx } from '../engine/call.ts';

declare module '../engine/tables.ts' {
  interface Tables {
    mail_count: { realm_id: RealmId; day: number; subject: string; count: number };
  }
}

const DAY = 86_400;

interface MailCount {
  readonly realm_id: RealmId;
  /** The names of the counters, without repeats: `invites of 17`. */
  readonly subjects: readonly string[];
  /** The number of mails for each of them. Default 1. */
  readonly count?: number;
  /** The maximum of a day (UTC) for each. */
  readonly limit: number;
  /** UNIX time in seconds. */
  readonly now: number;
}

/** Counts mails of today. Returns the subjects within their limit; for the others nothing is counted. */
export async function countMails(
  tx: Tx,
  { realm_id, subjects, count = 1, limit, now }: MailCount,
): Promise<ReadonlySet<string>> {
  if (count > limit) return new Set();
  // The subjects are locked in one order, so that two transactions do not wait for each other.
  const { rows } = await sql<{ subject: string }>`
    insert into mail_count (realm_id, day, subject, count)
    select ${realm_id}, ${dayOf(now)}, subject, ${count} from unnest(${subjects.toSorted()}::text[]) subject
    on conflict (realm_id, day, subject) do update set count = mail_count.count + excluded.count
      where mail_count.count + excluded.count <= ${limit}
    returning subject`.execute(tx);
  return new Set(rows.map(({ subject }) => subject));
}

interface WantedMails extends Pick<MailCount, 'realm_id' | 'limit' | 'now'> {
  /** The number of mails for each subject. */
  readonly wanted: ReadonlyMap<string, number>;
}

/** Counts mails of today, also those above the limit. Returns how many of each subject are within it. */
export async function grantMails(
  tx: Tx,
  { realm_id, wanted, limit, now }: WantedMails,
): Promise<ReadonlyMap<string, number>> {
  const subjects = [...wanted.keys()].toSorted();
  const counts = subjects.map((subject) => wanted.get(subject) ?? 0);
  const { rows } = await sql<{ subject: string; count: number }>`
    insert into mail_count (realm_id, day, subject, count)
    select ${realm_id}, ${dayOf(now)}, w.subject, w.count
    from unnest(${subjects}::text[], ${counts}::integer[]) w (subject, count)
    on conflict (realm_id, day, subject) do update set count = mail_count.count + excluded.count
    returning subject, count`.execute(tx);
  return new Map(
    rows.map(({ subject, count }) => {
      const asked = wanted.get(subject) ?? 0;
      return [subject, Math.max(0, asked - Math.max(0, count - limit))];
    }),
  );
}

/** Removes the counts of earlier days, of one realm. */
export async function forgetMailCounts(tx: Tx, realm_id: RealmId, now: number): Promise<void> {
  await tx
    .deleteFrom('mail_count')
    .where('realm_id', '=', realm_id)
    .where('day', '<', dayOf(now))
    .execute();
}

/** Seconds until the counts begin again. */
export const secondsToday = (now: number): number => DAY - (now % DAY);

const dayOf = (now: number) => Math.floor(now / DAY);
