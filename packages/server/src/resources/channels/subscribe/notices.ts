import type { ChannelId } from '@bellhop/protocol';

import type { Change } from '../../../engine/call.ts';
import type { Actor, User } from '../../../engine/caller.ts';
import { channelMarkdown } from '../../../markdown/channel-markdown.ts';
import { isPublic } from '../../../model/channels/access.ts';
import type { ChannelRow } from '../../../model/channels/channel-rows.ts';
import { postableChannel } from '../../../model/channels/postable-channel.ts';
import { privacyName } from '../../../model/channels/update/privacy.ts';
import { newChannelAnnouncements } from '../../../model/realms/realm-settings.ts';
import * as users from '../../../model/users/queries.ts';
import { sendMessage } from '../../messages/send/send-message.ts';
import { CHANNEL_EVENTS_TOPIC, mention } from '../channel-notice.ts';

/** With more new subscribers than this no direct messages are sent (`max_bulk_new_subscription_messages`). */
const MAX_DIRECT_MESSAGES = 100;

/** `user` is the one who subscribed the others. */
interface NoticeContext extends Actor {
  readonly params: {
    readonly announce: boolean;
    readonly send_new_subscription_messages: boolean;
  };
  readonly users: readonly User[];
  readonly channels: readonly ChannelRow[];
  readonly created: readonly ChannelId[];
  /** `<user id> <channel id>` of every new subscription. */
  readonly isNew: ReadonlySet<string>;
}
type MessageChange = Change<'message' | 'stream'>;

/**
 * Sends the messages of the notification bot: a direct message to each user whom somebody else
 * subscribed to an existing channel, a first message to each new channel, and an announcement of new
 * public channels. Returns whether direct messages were permitted.
 */
export async function sendNotices(change: MessageChange, context: NoticeContext): Promise<boolean> {
  const { realm, user, params, created } = context;
  const bot = await users.systemBot(change.db, realm.id, 'notification-bot');
  const subscribed = new Set([...context.isNew].map((key) => key.split(' ')[0]));
  const sends = params.send_new_subscription_messages && subscribed.size <= MAX_DIRECT_MESSAGES;
  if (sends)
    for (const other of context.users)
      if (other.id !== user.id && !other.is_bot) await greet(change, context, { bot, other });
  for (const channel of context.channels)
    if (created.includes(channel.id)) await open(change, context, { bot, channel });
  if (params.announce) await announce(change, context, bot);
  return sends;
}

async function greet(
  change: MessageChange,
  context: NoticeContext,
  { bot, other }: { bot: User; other: User },
): Promise<void> {
  const { channels, created, isNew } = context;
  const subscribed = channels.filter(
    ({ id }) => !created.includes(id) && isNew.has(`${other.id} ${id}`),
  );
  if (subscribed.length === 0) return;
  const links = subscribed.map(channelMarkdown);
  const content =
    links.length === 1
      ? `${mention(context.user)} subscribed you to the channel ${links.join()}.`
      : `${mention(context.user)} subscribed you to these channels:\n\n* ${links.join('\n* ')}`;
  await sendMessage(change, {
    ...sentBy(bot, context, subscribed),
    to: { participants: [bot, other] },
    content,
  });
}

/** Sends the first message of a new channel: who created it, and its description. */
async function open(
  change: MessageChange,
  context: NoticeContext,
  { bot, channel }: { bot: User; channel: ChannelRow },
): Promise<void> {
  const { id, description } = channel;
  const to = await postableChannel(change.db, bot, { id });
  if (!to) return;
  const kind = privacyName(channel);
  const quoted = description === '' ? '*No description.*' : description;
  const content = `**${kind}** channel created by ${mention(context.user)}. **Description:**\n\n\`\`\`\`quote\n${quoted}\n\`\`\`\``;
  const topic = to.topics_policy === 'empty_topic_only' ? '' : CHANNEL_EVENTS_TOPIC;
  await sendMessage(change, {
    ...sentBy(bot, context, []),
    to: { channel: to, topic },
    content,
  });
}

async function announce(change: MessageChange, context: NoticeContext, bot: User): Promise<void> {
  const { realm, user, channels, created } = context;
  const id = newChannelAnnouncements(realm);
  const announced = channels.filter((channel) => created.includes(channel.id) && isPublic(channel));
  if (id === undefined || announced.length === 0) return;
  const links = announced.map(channelMarkdown);
  const channel = await postableChannel(change.db, bot, { id });
  if (!channel || channel.is_archived) return;
  const what = links.length === 1 ? 'a new channel' : 'new channels:';
  await sendMessage(change, {
    ...sentBy(bot, context, announced),
    to: { channel, topic: channel.topics_policy === 'empty_topic_only' ? '' : 'new channels' },
    content: `${mention(user)} created ${what} ${links.join(', ')}.`,
  });
}

/** A notice of the bot that mentions the user who acted and links these channels, and no others. */
const sentBy = (bot: User, { realm, now, user }: NoticeContext, linked: readonly ChannelRow[]) => ({
  realm,
  sender: bot,
  resolves: { users: [user], channels: linked },
  client: 'Internal',
  now,
  read_by_sender: true,
  read_by: [user.id],
});
