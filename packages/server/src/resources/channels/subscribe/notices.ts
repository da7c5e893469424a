import type { ChannelId, UserId } from '@bellhop/protocol';

import type { Change } from '../../../engine/call.ts';
import type { Realm, User } from '../../../engine/caller.ts';
import { sendMessage } from '../../messages/send/send-message.ts';
import { newChannelAnnouncements } from '../../realms/realm-settings.ts';
import * as users from '../../users/queries.ts';
import { isPublic } from '../access.ts';
import * as channelRows from '../channel-rows.ts';
import type { ChannelRow } from '../channel-rows.ts';
import { postableChannel } from '../postable-channel.ts';

/** Above this many new subscribers nobody is written to (`max_bulk_new_subscription_messages`). */
const MOST_DIRECT_MESSAGES = 100;

interface Noticing {
  readonly realm: Realm;
  /** Who subscribed them. */
  readonly user: User;
  readonly now: number;
  readonly params: {
    readonly announce: boolean;
    readonly send_new_subscription_messages: boolean;
  };
  readonly users: readonly User[];
  readonly channels: readonly ChannelRow[];
  readonly created: readonly ChannelId[];
  /** `user channel` of every new subscription. */
  readonly isNew: ReadonlySet<string>;
}
type Writing = Change<'message' | 'stream'>;

/**
 * Has the notification bot write to those whom somebody else subscribed to a channel that existed,
 * to every new channel, and of new public channels to the channel for such announcements. Returns
 * whether new subscribers were, or would have been, written to.
 */
export async function sendNotices(change: Writing, noticing: Noticing): Promise<boolean> {
  const { realm, user, params, created } = noticing;
  const bot = await users.systemBot(change.db, realm.id, 'notification-bot');
  const subscribed = new Set([...noticing.isNew].map((key) => key.split(' ')[0]));
  const sends = params.send_new_subscription_messages && subscribed.size <= MOST_DIRECT_MESSAGES;
  if (sends)
    for (const other of noticing.users)
      if (other.id !== user.id && !other.is_bot) await greet(change, noticing, { bot, other });
  const viewers = await channelRows.viewersOf(change.db, realm.id, created);
  for (const channel of noticing.channels)
    if (created.includes(channel.id))
      await open(change, noticing, { bot, channel, viewers: viewers.get(channel.id) ?? [] });
  if (params.announce) await announce(change, noticing, bot);
  return sends;
}

async function greet(
  change: Writing,
  noticing: Noticing,
  { bot, other }: { bot: User; other: User },
): Promise<void> {
  const { channels, created, isNew } = noticing;
  const links = channels
    .filter(({ id }) => !created.includes(id) && isNew.has(`${other.id} ${id}`))
    .map(({ name }) => `#**${name}**`);
  if (links.length === 0) return;
  const content =
    links.length === 1
      ? `${mention(noticing.user)} subscribed you to the channel ${links.join()}.`
      : `${mention(noticing.user)} subscribed you to these channels:\n\n* ${links.join('\n* ')}`;
  await sendMessage(change, { ...by(bot, noticing), to: { participants: [bot, other] }, content });
}

/** The first message of a channel says who made it and what for. */
async function open(
  change: Writing,
  noticing: Noticing,
  { bot, channel, viewers }: { bot: User; channel: ChannelRow; viewers: readonly UserId[] },
): Promise<void> {
  const { id, name, description } = channel;
  const to = await postableChannel(change.db, bot, { id });
  if (!to) return;
  const kind = channel.is_web_public
    ? 'Web-public'
    : isPublic(channel)
      ? 'Public'
      : channel.history_public_to_subscribers
        ? 'Private, shared history'
        : 'Private, protected history';
  const quoted = description === '' ? '*No description.*' : description;
  const content = `**${kind}** channel created by ${mention(noticing.user)}. **Description:**\n\n\`\`\`\`quote\n${quoted}\n\`\`\`\``;
  const topic = to.topics_policy === 'empty_topic_only' ? '' : 'channel events';
  const first_message_id = await sendMessage(change, {
    ...by(bot, noticing),
    to: { channel: to, topic },
    content,
  });
  change.emit(
    {
      type: 'stream',
      op: 'update',
      stream_id: id,
      name,
      property: 'first_message_id',
      value: first_message_id,
    },
    viewers,
  );
}

async function announce(change: Writing, noticing: Noticing, bot: User): Promise<void> {
  const { realm, user, channels, created } = noticing;
  const id = newChannelAnnouncements(realm);
  const links = channels
    .filter((channel) => created.includes(channel.id) && isPublic(channel))
    .map(({ name }) => `#**${name}**`);
  if (id === undefined || links.length === 0) return;
  const channel = await postableChannel(change.db, bot, { id });
  if (!channel || channel.is_archived) return;
  const what = links.length === 1 ? 'a new channel' : 'new channels:';
  await sendMessage(change, {
    ...by(bot, noticing),
    to: { channel, topic: channel.topics_policy === 'empty_topic_only' ? '' : 'new channels' },
    content: `${mention(user)} created ${what} ${links.join(', ')}.`,
  });
}

const by = (bot: User, { realm, now, user }: Noticing) => ({
  realm,
  sender: bot,
  client: 'Internal',
  now,
  read_by_sender: true,
  read_by: user.id,
});

const mention = ({ full_name, id }: { full_name: string; id: UserId }) =>
  `@_**${full_name}|${id}**`;
