import type { Config } from '../../../config.ts';
import type { Db } from '../../../engine/call.ts';
import type { Actor, User, UserInRealm } from '../../../engine/caller.ts';
import { job } from '../../../engine/job.ts';
import { deliverMail, MAIL_TIMEOUT_MS, logDeadMail } from '../../../mail/send-mail.ts';
import { composeMissedMail } from '../../../model/mails/missed/compose-missed-mail.ts';
import { missedMail, type MissedMail } from '../../../model/mails/missed/missed-mail-job.ts';
import * as queries from '../../../model/mails/missed/queries.ts';
import { decideNotifications } from '../../../model/notifications/decide-notifications.ts';
import * as realms from '../../../model/realms/queries.ts';
import { hiddenFrom } from '../../../model/users/access.ts';
import * as users from '../../../model/users/queries.ts';
import { unknownUser } from '../../../model/users/unknown-user.ts';

/**
 * Mails the missed messages of one conversation to a user who is offline. Each attempt composes the mail
 * anew. It leaves out messages that the user has read by now, may no longer read, or wants no mails about.
 */
export const sendMissedMail = ({ mail }: Config) =>
  job<MissedMail>({
    ...missedMail,
    retry: mail.retrySeconds,
    timeoutMs: MAIL_TIMEOUT_MS,
    async run({ realm_id, user_id, message_ids }, app, { jobId }) {
      const realm = await app.realms.byId(realm_id);
      const db = app.db.kysely;
      const user = await users.byId(db, realm_id, user_id);
      if (!realm.is_active || !user?.is_active) return undefined;
      const messages = await missedNow(db, { realm, user, now: app.now() }, message_ids);
      if (messages.length === 0) return undefined;
      const people = await peopleIn(db, { realm, user }, messages);
      const isOnlyRealm = !(await realms.hasOther(db, realm_id));
      const composed = composeMissedMail({ realm, user, messages, people, isOnlyRealm });
      return deliverMail(app, { realm_id, jobId }, composed);
    },
    onDead: logDeadMail,
  });

/** The messages among these of which the user is to get a mail now. */
async function missedNow(
  db: Db,
  { realm, user, now }: Actor,
  ids: MissedMail['message_ids'],
): Promise<readonly queries.MailedMessage[]> {
  const unread = await queries.unreadAmong(db, user, ids);
  const candidates = unread.map((message) => ({ message, user_id: user.id, flags: message.flags }));
  const medium = { medium: 'email', realm, now } as const;
  const decided = await decideNotifications(db, medium, candidates);
  return decided.filter(({ waitsForIdle }) => !waitsForIdle).map(({ message }) => message);
}

/** The senders and participants by id. Those whom the user may not see are unknown users. */
async function peopleIn(
  db: Db,
  { realm, user }: UserInRealm,
  messages: readonly queries.MailedMessage[],
): Promise<ReadonlyMap<number, User>> {
  const ids = messages.flatMap(({ sender_id, user_ids }) => [sender_id, ...(user_ids ?? [])]);
  const found = await users.byIds(db, realm.id, [...new Set(ids)]);
  const all = { viewers: [user.id], users: found.map(({ id }) => id) };
  const hidden = (await hiddenFrom(db, realm, all)).get(user.id);
  return new Map(found.map((one) => [one.id, hidden?.has(one.id) ? unknownUser(one) : one]));
}
