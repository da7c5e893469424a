import type { Change } from '../../engine/call.ts';
import type { Actor, User } from '../../engine/caller.ts';
import { postableChannel } from '../../model/channels/postable-channel.ts';
import { settingsOf, signupAnnouncements } from '../../model/realms/realm-settings.ts';
import * as users from '../../model/users/queries.ts';
import { sendMessage } from '../messages/send/send-message.ts';

interface Joining {
  /** The text that welcomes this user in place of the realm's; empty for none. */
  readonly welcomeText?: string | null;
  /** The user who gets the notice that the user accepted their invitation. */
  readonly told?: User | undefined;
}

const GREETING =
  'Hello, and welcome! Messages here are in channels, and every channel has topics: read one topic at a time, and reply where it fits. Only you read what you write to me.';

/**
 * Greets a new user, with the welcome text of their invitation or the realm; notifies the inviter,
 * if they asked for it; announces the new user in the channel that the realm chose.
 */
export async function sendJoinMessages(
  change: Change<'message' | 'stream'>,
  { realm, user, now }: Actor,
  { welcomeText, told }: Joining = {},
): Promise<void> {
  const { db } = change;
  const sent = { realm, client: 'Internal', now, read_by_sender: true };
  const welcomeBot = await users.systemBot(db, realm.id, 'welcome-bot');
  const greets = { ...sent, sender: welcomeBot, to: { participants: [welcomeBot, user] } };
  await sendMessage(change, { ...greets, resolves: NO_NAMES, content: GREETING });
  const text = welcomeText ?? settingsOf(realm).welcome_message_custom_text;
  if (text.trim() !== '') await sendMessage(change, { ...greets, content: text });
  const notifier = await users.systemBot(db, realm.id, 'notification-bot');
  const tells = { ...sent, sender: notifier, resolves: { users: [user], channels: [] } };
  const who = `@_**${user.full_name}|${user.id}**`;
  if (told)
    await sendMessage(change, {
      ...tells,
      to: { participants: [notifier, told] },
      content: `${who} accepted your invitation and has joined.`,
    });
  const id = signupAnnouncements(realm);
  const channel = id === undefined ? undefined : await postableChannel(db, notifier, { id });
  if (!channel || channel.is_archived) return;
  await sendMessage(change, {
    ...tells,
    to: { channel, topic: channel.topics_policy === 'empty_topic_only' ? '' : 'signups' },
    content: `${who} has joined.`,
  });
}

const NO_NAMES = { users: [], channels: [] };
