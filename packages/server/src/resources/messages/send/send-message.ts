import type { Change } from '../../../engine/call.ts';
import type { Realm } from '../../../engine/caller.ts';
import { EVERYONE_LISTENING } from '../../../engine/event-log.ts';
import { triggerWebhooks } from '../../bots/trigger-webhooks.ts';
import * as channels from '../../channels/postable-channel.ts';
import { insertLast as insertSubmessages } from '../../submessages/queries.ts';
import { type StoredMessage, storedMessage } from '../presented-message.ts';
import * as queries from '../queries.ts';
import { flagNames } from '../read/flags.ts';
import type { Attach } from './attaching.ts';
import { type Composed, composeMessage, type Draft } from './render-message.ts';

/**
 * Sends a message. Throws an ApiError where it is not acceptable. Without `attach`, uploads that it
 * links are not attached to it.
 */
export async function sendMessage(
  change: Change<'message'>,
  draft: Draft,
  attach?: Attach,
): Promise<{ readonly message: StoredMessage }> {
  const composed = await composeMessage(change.db, draft);
  await sendComposed(change, { realm: draft.realm, attach }, [composed]);
  return { message: stored(composed) };
}

/**
 * Stores messages of a realm, gives each to everybody it is for, and tells their queues and the bots'
 * webhooks, in this order. Refuses none.
 */
export async function sendComposed(
  change: Change<'message'>,
  { realm, attach }: { readonly realm: Realm; readonly attach: Attach | undefined },
  composed: readonly Composed[],
): Promise<void> {
  if (composed.length === 0) return;
  const messages = composed.some(({ mentioned }) => mentioned.has_attachment)
    ? await withAttachments(composed, attach)
    : composed;
  queries.insert(change.db, realm.id, messages);
  insertSubmessages(
    change.db,
    realm.id,
    messages.flatMap(({ submessages }) => submessages),
  );
  for (const one of messages) {
    const { draft, message, users, mentioned } = one;
    const { sender, to } = draft;
    if ('channel' in to && to.channel.first_message_id === null)
      await channels.setFirstMessage(change.db, to.channel.id, message.id);
    tell(change, one);
    const participants = 'channel' in to ? null : to.participants;
    await triggerWebhooks(change, {
      id: message.id,
      sender,
      recipients: users,
      ...mentioned,
      participants,
    });
  }
}

/** A link to a file that is not there, or not for the sender, attaches nothing. */
async function withAttachments(
  composed: readonly Composed[],
  attach: Attach | undefined,
): Promise<Composed[]> {
  const messages: Composed[] = [];
  for (const one of composed) {
    const has_attachment = one.mentioned.has_attachment && ((await attach?.(one)) ?? false);
    messages.push({ ...one, message: { ...one.message, has_attachment } });
  }
  return messages;
}

function stored({ draft, message, submessages }: Composed): StoredMessage {
  const { realm, sender, to } = draft;
  const unchanged = { edit_history: null, last_edited_at: null, last_moved_at: null };
  const whole = { ...message, ...unchanged, submessages };
  const place = 'channel' in to ? to.channel.name : to.participants;
  return storedMessage(whole, { realm, sender, place });
}

function tell(change: Change<'message'>, composed: Composed): void {
  const { users: recipients, flags, draft } = composed;
  const { to, echo } = draft;
  const users: Record<number, object> = {};
  for (const [at, id] of recipients.entries()) {
    const names = flagNames(flags[at] ?? 0);
    if (names.length > 0) users[id] = { flags: names };
  }
  const queues = echo ? { [echo.queue_id]: { local_message_id: echo.local_id } } : undefined;
  const isPublic = 'channel' in to && !to.channel.invite_only;
  change.emit(
    { type: 'message', message: stored(composed) },
    isPublic ? [...recipients, EVERYONE_LISTENING] : recipients,
    { users, ...(queues ? { queues } : {}) },
  );
}
