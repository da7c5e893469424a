import { randomUUID } from 'node:crypto';

import type { MessageChangeKind, MessageId, WebhookChange } from '@bellhop/protocol';

import type { Change } from '../../engine/call.ts';
import type { Actor } from '../../engine/caller.ts';
import { receiversOf } from '../../model/bot-changes/queries.ts';
import { type Delivery, webhookDelivery } from '../../model/bots/webhook-delivery.ts';
import * as messages from '../../model/messages/queries.ts';
import { apiEmail } from '../../model/users/user-record.ts';

interface MessageChange {
  readonly message_id: MessageId;
  readonly kind: MessageChangeKind;
  /** Further fields of the change in the payload. */
  readonly details?: Pick<WebhookChange, 'op' | 'emoji_name' | 'emoji_code' | 'orig_content'>;
}

/**
 * Adds the deliveries of a change of a message to the webhooks that receive it; none for a change
 * by a bot. The delivery checks whether the bot may read the message. Call it before a message is
 * deleted: the delivery keeps its conversation, not its content.
 */
export async function triggerChanges(
  { db, enqueueAll }: Pick<Change, 'db' | 'enqueueAll'>,
  { realm, user, now }: Actor,
  { message_id, kind, details }: MessageChange,
): Promise<void> {
  if (user.is_bot) return;
  const receivers = await receiversOf(db, realm.id, { kind, message_id, now });
  if (receivers.length === 0) return;
  const isDeletion = kind === 'delete';
  const row = isDeletion ? await messages.byId(db, realm.id, message_id) : undefined;
  const unsaid = { content: '', rendered_content: '', edit_history: null, submessages: null };
  const by = { user_id: user.id, email: apiEmail(user, realm), full_name: user.full_name };
  const deliveries = receivers.map(({ service_id, owner_id }): Delivery => ({
    realm_id: realm.id,
    message_id,
    service_id,
    owner_id,
    trigger: kind,
    change: { id: randomUUID(), ...details, ...(isDeletion ? {} : { user: by }) },
    ...(row ? { deleted: { ...row, ...unsaid } } : {}),
  }));
  await enqueueAll(webhookDelivery, deliveries);
}
