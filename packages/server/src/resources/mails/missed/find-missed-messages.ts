import { enqueueAll, job } from '@bellhop/jobs';
import { z } from 'zod';

import type { App } from '../../../engine/app.ts';
import type { Tx } from '../../../engine/call.ts';
import type { Realm } from '../../../engine/caller.ts';
import { countMails } from '../../../mail/count-mails.ts';
import { missMessages } from './miss-messages.ts';
import { MAX_MAILED_MESSAGES, missedMail } from './missed-mail-job.ts';
import * as queries from './queries.ts';

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
export const findMissedMessages = job<object, App>({
  name: 'find_missed_messages',
  payload: z.object({}),
  retry: [15, 60],
  everySeconds: 15,
  timeoutMs: 300_000,
  run: async (_payload, app) => findMissed(app),
});

/** The work of `findMissedMessages`, for all realms. */
export async function findMissed(app: App): Promise<void> {
  for (const id of await queries.realmsToCheck(app.db.kysely, app.now())) {
    const realm = await app.realms.byId(id);
    const context = { realm, now: app.now() };
    const inSteps = async (step: (tx: Tx) => Promise<boolean>) => {
      while (await app.change(realm, ({ db }) => step(db)));
    };
    await inSteps((tx) => checkMessages(tx, context));
    await inSteps((tx) => addDueMails(tx, app, context));
  }
}

/** Records who misses the messages that were sent since the last time. Returns whether there may be more. */
async function checkMessages(tx: Tx, context: Context): Promise<boolean> {
  const { id } = context.realm;
  const ids = await queries.takeUnchecked(tx, id, MESSAGES);
  if (ids.length > 0) await missMessages(tx, context, await queries.concerned(tx, id, ids));
  return ids.length === MESSAGES;
}

/** Adds a mail for each conversation that is due. Returns whether there may be more. */
async function addDueMails(tx: Tx, { log }: App, { realm, now }: Context): Promise<boolean> {
  const due = await queries.takeDue(tx, realm.id, { now, limit: USERS });
  const byUser = [...Map.groupBy(due, ({ user_id }) => user_id).values()];
  const payloads = [];
  for (let at = 0; ; at += 1) {
    const round = byUser.flatMap((conversations) => conversations[at] ?? []);
    if (round.length === 0) break;
    const counterOf = (user_id: number) => `missed messages of ${user_id}`;
    const subjects = round.map(({ user_id }) => counterOf(user_id));
    const day = { realm_id: realm.id, subjects, limit: DAILY_MISSED_MAILS, now };
    const counted = await countMails(tx, day);
    if (counted.size < round.length)
      log.warn({ realm_id: realm.id, mails: round.length - counted.size }, 'mails left out: limit');
    for (const { user_id, message_ids } of round)
      if (counted.has(counterOf(user_id)))
        payloads.push({
          payload: {
            realm_id: realm.id,
            user_id,
            message_ids: message_ids.slice(-MAX_MAILED_MESSAGES),
          },
        });
  }
  await enqueueAll(tx, missedMail, payloads);
  return byUser.length === USERS;
}
