import { type ChannelId, isAddressed, type WebhookChange } from '@bellhop/protocol';

import type { App } from '../../engine/app.ts';
import type { Db, Tx } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { visibleChannel } from '../channels/readable-channels.ts';
import type { Conversation } from '../conversation.ts';
import { messageRecords } from '../messages/message-record.ts';
import type { MessageRecord, MessageRow } from '../messages/message.ts';
import * as messages from '../messages/queries.ts';
import { readable } from '../messages/read/readable.ts';
import * as users from '../users/queries.ts';
import type { ConsoleWatchers } from './console-watchers.ts';
import * as queries from './queries.ts';
import type { Delivery } from './webhook-delivery.ts';

/** A delivery with everything it refers to. */
export interface LoadedDelivery {
  readonly realm: Realm;
  readonly bot: User;
  readonly service: {
    readonly id: number;
    readonly base_url: string;
    readonly interface: number;
    readonly disabled_at: Date | null;
    /** Null: nobody's console shows the deliveries of the bot. */
    readonly watchers: ConsoleWatchers | null;
  };
  /** The bot's token, decrypted. Throws if the server's secret has changed. */
  readonly token: () => string;
  readonly trigger: Delivery['trigger'];
  /** The owner of the bot when the message was sent. */
  readonly owner_id: Delivery['owner_id'];
  readonly change: WebhookChange | undefined;
  readonly message: MessageRecord;
  readonly conversation: Conversation<
    { readonly id: ChannelId; readonly name: string },
    readonly User[]
  >;
}

interface SealedTokens {
  readonly token_sealed: Buffer;
  readonly old_token_sealed: Buffer | null;
  readonly old_token_until: Date | null;
}

/** The token that deliveries carry now. Throws if the server's secret has changed. */
export function carriedToken(
  { token_sealed, old_token_sealed, old_token_until }: SealedTokens,
  { secrets, now }: Pick<App, 'secrets' | 'now'>,
): string {
  const isOld = old_token_until !== null && old_token_until.getTime() > now() * 1000;
  return secrets.open((isOld && old_token_sealed) || token_sealed);
}

/**
 * Loads a delivery. Undefined if the realm, the bot or the message was deleted or deactivated, or
 * if the bot may not read a message that is not addressed to it.
 */
export async function loadDelivery(
  db: Db,
  { realms, secrets, now }: Pick<App, 'realms' | 'secrets' | 'now'>,
  { realm_id, service_id, message_id, trigger, change, deleted, owner_id }: Delivery,
): Promise<LoadedDelivery | undefined> {
  const realm = await realms.byId(realm_id);
  const service = await queries.service(db, realm.id, service_id);
  const bot = service && (await users.byId(db, realm.id, service.user_id));
  const row = deleted ?? (await messages.byId(db, realm.id, message_id));
  if (!realm.is_active || !service || !bot?.is_active || !row) return undefined;
  if (!isAddressed(trigger) && !(await mayRead(db, bot, { row, isDeleted: trigger === 'delete' })))
    return undefined;
  const [presented] = await messageRecords(db, { realm, viewer: bot }, [row]);
  if (!presented) return undefined;
  const { message, participants } = presented;
  const { channel_id, channel_name, topic } = row;
  return {
    realm,
    bot,
    service,
    token: () => carriedToken(service, { secrets, now }),
    trigger,
    owner_id,
    change,
    message,
    conversation:
      channel_id === null
        ? { participants }
        : { channel: { id: channel_id, name: channel_name ?? '' }, topic },
  };
}

/**
 * A delivery with its bot and participants as they are now. Locks the bot, so that a deactivation of it
 * comes before or waits for the commit.
 */
export async function lockDelivery(tx: Tx, delivery: LoadedDelivery): Promise<LoadedDelivery> {
  const { realm, bot, conversation } = delivery;
  await users.lock(tx, bot);
  const known = 'channel' in conversation ? [] : conversation.participants;
  const ids = [bot.id, ...known.map(({ id }) => id)];
  const found = new Map((await users.byIds(tx, realm.id, ids)).map((user) => [user.id, user]));
  const current = (user: User) => found.get(user.id) ?? user;
  return {
    ...delivery,
    bot: current(bot),
    conversation: 'channel' in conversation ? conversation : { participants: known.map(current) },
  };
}

/** Whether a bot may read a message; a deleted one: the channel that it was in. */
async function mayRead(
  db: Db,
  bot: User,
  { row, isDeleted }: { row: MessageRow; isDeleted: boolean },
): Promise<boolean> {
  if (!isDeleted) return (await readable(db, bot, row.id)) !== undefined;
  if (row.channel_id === null) return true;
  const channel = await visibleChannel(db, bot, { id: row.channel_id, name: null });
  return channel?.is_readable === true;
}
