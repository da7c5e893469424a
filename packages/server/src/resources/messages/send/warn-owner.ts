import type { Change } from '../../../engine/call.ts';
import type { Realm, User } from '../../../engine/caller.ts';
import { codeSpan } from '../../../markdown/code-span.ts';
import * as queries from '../../../model/bots/queries.ts';
import type { ChannelAddress } from '../../../model/channels/channel-address.ts';
import * as users from '../../../model/users/queries.ts';
import { sendDirectMessage } from './send-message.ts';

/** The owner of a bot gets at most one warning in this time. */
const SECONDS_BETWEEN_WARNINGS = 60;

interface UndeliveredMessage {
  readonly realm: Realm;
  readonly bot: User;
  readonly channel: ChannelAddress;
  readonly problem: 'missing' | 'without subscribers';
  /** UNIX time in seconds. */
  readonly now: number;
}

/**
 * Tells the owner of a bot by a direct message of the notification bot that a message reached nobody:
 * its channel does not exist, or has no subscribers. At most once a minute for each bot.
 */
export async function warnOwner(
  change: Change<'message'>,
  { realm, bot, channel, problem, now }: UndeliveredMessage,
): Promise<void> {
  if (bot.bot_owner_id === null) return;
  const owner = await users.byId(change.db, realm.id, bot.bot_owner_id);
  if (!owner?.is_active) return;
  const since = now - SECONDS_BETWEEN_WARNINGS;
  if (!(await queries.claimWarning(change.db, bot, { now, since }))) return;
  const tried = `Your bot ${codeSpan(bot.delivery_email)} tried to send a message to the channel ${nameOf(channel)}`;
  const why =
    problem === 'missing' ? 'that channel does not exist.' : 'that channel has no subscribers.';
  const notifier = await users.systemBot(change.db, realm.id, 'notification-bot');
  await sendDirectMessage(change, {
    realm,
    sender: notifier,
    client: 'Internal',
    now,
    to: { participants: [notifier, owner] },
    content: `${tried}, but ${why}`,
    read_by_sender: true,
  });
}

const MAX_NAME = 60;

const nameOf = (channel: ChannelAddress): string =>
  'id' in channel ? `with the ID ${channel.id}` : codeSpan(channel.name.slice(0, MAX_NAME));
