import { MessageId, RealmId, UserId } from '@bellhop/protocol';
import { z } from 'zod';

/** The newest messages of a conversation that a mail is about. */
export const MAX_MAILED_MESSAGES = 100;

const MissedMail = z.object({
  realm_id: RealmId,
  user_id: UserId,
  /** Ascending. */
  message_ids: z.array(MessageId).max(MAX_MAILED_MESSAGES),
});
/** The missed messages of one conversation. */
export type MissedMail = z.output<typeof MissedMail>;

/** The job without its work: sending messages leads to it, and its work reads messages. */
export const missedMail = {
  name: 'send_missed_mail',
  lane: 'mail',
  payload: MissedMail,
  key: ({ realm_id }: MissedMail) => String(realm_id),
};
