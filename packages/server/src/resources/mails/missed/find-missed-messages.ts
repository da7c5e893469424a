import { enqueueAll } from '@bellhop/jobs';
import type { RealmId } from '@bellhop/protocol';
import { z } from 'zod';

import type { JobApp } from '../../../engine/app.ts';
import type { Tx } from '../../../engine/call.ts';
import type { Realm } from '../../../engine/caller.ts';
import { job } from '../../../engine/job.ts';
import { eachRealm } from '../../../every-realm.ts';
import { grantMails } from '../../../mail/count-mails.ts';
import { MAX_MAILED_MESSAGES, missedMail } from '../../../model/mails/missed/missed-mail-job.ts';
import * as queries from '../../../model/mails/missed/queries.ts';
import { recordMissed } from '../../../model/mails/missed/record-missed.ts';

/** Messages that one transaction looks at. */
const MESSAGES = 1000;
/** Users whose due mails one transaction adds. */
const USERS = 200;
/** The mails about missed messages that a user gets in a day. */
export const DAILY_MISSED_MAILS = 200;

interface Context {
  readonly realm: Realm;
  /** UNIX time in seconds. */
  readonly now: number;
}

/** Finds the users who miss new messages, and adds the mails that are due. */
export const findMissedMessages = job<object>({
  name: 'find_missed_messages',
  payload: z.object({}),
  retry: [15, 60],
  everySeconds: 15,
  timeoutMs: 300_000,
  run: async (_payload, app, { signal }) => findMissed(app, signal),
});

/** The work of `findMissedMessages`, for all realms. */
export async function findMissed(app: JobApp, signal?: AbortSignal): Promise<void> {
  const work = async (id: RealmId) => {
    const realm = await app.realms.byId(id);
    const context = { realm, now: app.now() };
    const inSteps = async (step: (tx: Tx) => Promise<boolean>) => {
      while (await app.change(realm, ({ db }) => step(db)));
    };
    await inSteps((tx) => checkMessages(tx, context));
    await inSteps((tx) => addDueMails(tx, app, context));
  };
  await eachRealm(await queries.realmsToCheck(app.db.kysely, app.now()), work, signal);
}

/** Records who misses the messages that were sent since the last time. Returns whether there may be more. */
async function checkMessages(tx: Tx, context: Context): Promise<boolean> {
  const { id } = context.realm;
  const ids = await queries.takeUnchecked(tx, id, MESSAGES);
  if (ids.length > 0) await recordMissed(tx, context, await queries.concerned(tx, id, ids));
  return ids.length === MESSAGES;
}

/** Adds a mail for each conversation that is due. Returns whether there may be more. */
async function addDueMails(
  tx: Tx,
  { log }: Pick<JobApp, 'log'>,
  { realm, now }: Context,
): Promise<boolean> {
  const due = await queries.takeDue(tx, realm.id, { now, limit: USERS });
  const byUser = Map.groupBy(due, ({ user_id }) => user_id);
  const counterOf = (user_id: number) => `missed messages of ${user_id}`;
  const granted = await grantMails(tx, {
    realm_id: realm.id,
    wanted: new Map([...byUser].map(([id, { length }]) => [counterOf(id), length])),
    limit: DAILY_MISSED_MAILS,
    now,
  });
  const mailed = [...byUser].flatMap(([id, mails]) => mails.slice(0, granted.get(counterOf(id))));
  if (mailed.length < due.length)
    log.warn(
      { realm_id: realm.id, mails: due.length - mailed.length },
      'mails left out: daily limit',
    );
  const payloads = mailed.map(({ user_id, message_ids }) => ({
    payload: { realm_id: realm.id, user_id, message_ids: message_ids.slice(-MAX_MAILED_MESSAGES) },
  }));
  await enqueueAll(tx, missedMail, payloads);
  return byUser.size === USERS;
}
