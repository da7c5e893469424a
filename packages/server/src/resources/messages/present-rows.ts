import type { ChannelId, MessageId } from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import * as users from '../users/queries.ts';
import { type StoredMessage, storedMessage } from './presented-message.ts';
import * as queries from './queries.ts';

/** A message with the conversation it belongs to. */
export interface WholeMessage {
  readonly message: StoredMessage;
  readonly place:
    | {
        readonly channel: { readonly id: ChannelId; readonly name: string };
        readonly topic: string;
      }
    | { readonly participants: readonly User[] };
}

/** Reads a message as it is now; undefined if it is gone. Who may see it is not asked. */
export async function wholeMessage(
  db: Db,
  realm: Realm,
  id: MessageId,
): Promise<WholeMessage | undefined> {
  const row = await queries.withPlace(db, realm.id, id);
  if (!row) return undefined;
  const { channel_name, user_ids, sender_id, channel_id, topic } = row;
  const people = await users.byIds(db, realm.id, [...(user_ids ?? []), sender_id]);
  const sender = people.find((user) => user.id === sender_id);
  if (!sender) throw new Error(`Message ${id} has no sender`);
  const inConversation = new Set<number>(user_ids ?? []);
  const participants = people.filter((user) => inConversation.has(user.id));
  const shown = channel_name ?? participants;
  return {
    message: storedMessage(row, { realm, sender, place: shown }),
    place:
      channel_id === null
        ? { participants }
        : { channel: { id: channel_id, name: channel_name ?? '' }, topic },
  };
}
