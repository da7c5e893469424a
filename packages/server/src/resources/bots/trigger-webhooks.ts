import type { MessageId, UserId } from '@bellhop/protocol';

import type { Change } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import * as queries from './queries.ts';
import { webhookDelivery } from './webhook-delivery.ts';

interface SentMessage {
  readonly id: MessageId;
  readonly sender: User;
  readonly recipients: readonly UserId[];
  /** Mentioned by name, not silently. */
  readonly mentioned_users: readonly User[];
  /** Members of mentioned groups. */
  readonly group_member_ids: readonly number[];
  /** Of a direct message; null for a channel message. */
  readonly participants: readonly User[] | null;
}

/**
 * Queues a message for the webhooks of the bots it concerns, in its own transaction. A direct message
 * concerns every outgoing webhook bot among the participants. A channel message concerns those that
 * are mentioned by name, subscribed or not, and those subscribed ones that belong to a mentioned
 * group. Wildcards concern none, and what a bot says concerns no bot.
 */
export async function triggerWebhooks(
  { db, enqueue }: Pick<Change<'message'>, 'db' | 'enqueue'>,
  message: SentMessage,
): Promise<void> {
  const { sender, participants } = message;
  if (sender.is_bot) return;
  const concerned = participants
    ? participants.filter(isOutgoing).map(({ id }) => id)
    : mentionedIn(message);
  if (concerned.length === 0) return;
  const trigger = participants ? 'direct_message' : 'mention';
  const realm_id = sender.realm_id;
  for (const service_id of await queries.serviceIdsOf(db, realm_id, concerned))
    await enqueue(webhookDelivery, { realm_id, message_id: message.id, service_id, trigger });
}

const OUTGOING_WEBHOOK = 3;
const isOutgoing = ({ bot_type }: User) => bot_type === OUTGOING_WEBHOOK;

function mentionedIn({ mentioned_users, group_member_ids, recipients }: SentMessage): number[] {
  const received = new Set<number>(recipients);
  const byName = mentioned_users.filter(isOutgoing).map(({ id }) => id);
  return [...new Set([...byName, ...group_member_ids.filter((id) => received.has(id))])];
}
