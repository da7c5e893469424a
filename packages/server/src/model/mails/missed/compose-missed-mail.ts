import { directUrl, foldCase, narrowUrl, shownTopic } from '@bellhop/protocol';

import type { Realm, User } from '../../../engine/caller.ts';
import { composeMail, type Mail, type MailBlock, mailName } from '../../../mail/mail.ts';
import { plainText } from '../../../markdown/plain-text.ts';
import { cutText } from '../../devices/message-push/cut-text.ts';
import { settingsOf } from '../../realms/realm-settings.ts';
import { settingOf } from '../../users/user-settings.ts';
import type { MailedMessage } from './queries.ts';

/** The newest messages of a conversation that a mail shows. */
const MAX_SHOWN = 20;
const MAX_MESSAGE_BYTES = 2_000;
const MAX_NAMES = 5;

/** `realm_name_in_email_notifications_policy`. */
const realmNamePolicies = { automatic: 1, always: 2, never: 3 } as const;

interface MissedMessages {
  readonly realm: Pick<Realm, 'name' | 'url' | 'settings'>;
  /** The receiver. */
  readonly user: User;
  /** At least one, ascending. */
  readonly messages: readonly MailedMessage[];
  /** The senders and participants, as the receiver sees them. */
  readonly people: ReadonlyMap<number, User>;
  /** Whether the server has no other realm. */
  readonly isOnlyRealm: boolean;
}

/** The mail about messages that a user missed, mostly of one conversation: a retry finds moved ones elsewhere. */
export function composeMissedMail(missed: MissedMessages): Mail {
  const { realm, user, messages } = missed;
  const { name, url } = realm;
  const showsContent = settingOf('message_content_in_email_notifications', { user });
  const mayShowContent = settingsOf(realm).message_content_allowed_in_email_notifications;
  const conversations = [
    ...Map.groupBy(messages, ({ channel_id, topic, user_ids }) =>
      JSON.stringify([channel_id, foldCase(topic), user_ids]),
    ).values(),
  ];
  const [first = []] = conversations;
  const isShown = showsContent && mayShowContent;
  const subject = isShown ? titleOf(missed, first) : 'New messages';
  const why = mayShowContent ? 'your settings ask for that' : 'your organization asks for that';
  return composeMail({
    to: user.delivery_email,
    realm,
    subject: `${namesRealm(missed) ? `[${mailName(name)}] ` : ''}${subject}`,
    blocks: [
      ...(isShown
        ? conversations.flatMap((conversation) => blocksOf(missed, conversation))
        : [
            `You have ${counted(messages.length, 'unread message')} at ${mailName(name)}. This mail does not show them: ${why}.`,
            { label: 'Read them', url },
          ]),
      'You get this mail because you were away and have not read this yet. Your notification settings say of which messages you get mails.',
    ],
  });
}

function namesRealm({ user, isOnlyRealm }: MissedMessages): boolean {
  const policy = settingOf('realm_name_in_email_notifications_policy', { user });
  return policy === realmNamePolicies.automatic
    ? !isOnlyRealm
    : policy === realmNamePolicies.always;
}

/** The messages of one conversation, and a link to it. */
function blocksOf(missed: MissedMessages, messages: readonly MailedMessage[]): MailBlock[] {
  const shown = messages.slice(-MAX_SHOWN);
  const left = messages.length - shown.length;
  const texts = shown.flatMap((message, at): MailBlock[] => {
    const isSameSender = shown[at - 1]?.sender_id === message.sender_id;
    const quote = cutText(plainText(message.rendered_content), MAX_MESSAGE_BYTES);
    return [...(isSameSender ? [] : [`${nameOf(missed, message.sender_id)}:`]), { quote }];
  });
  return [
    titleOf(missed, messages),
    ...(left > 0 ? [`${counted(left, 'earlier message')} not shown.`] : []),
    ...texts,
    { label: 'Open the conversation', url: urlOf(missed, shown) },
  ];
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

const nameOf = ({ people }: MissedMessages, id: number): string =>
  mailName(people.get(id)?.full_name ?? '');

/** The name of a conversation: `#verona > plans`, `Direct messages with Cordelia`. */
function titleOf(missed: MissedMessages, [message]: readonly MailedMessage[]): string {
  if (!message) return '';
  const { channel_name, topic, user_ids } = message;
  if (channel_name !== null)
    return `#${mailName(channel_name)} > ${mailName(shownTopic(topic, false))}`;
  const others = (user_ids ?? []).filter((id) => id !== missed.user.id);
  const names = others.slice(0, MAX_NAMES).map((id) => nameOf(missed, id));
  const more = others.length - names.length;
  return `Direct messages with ${[...names, ...(more > 0 ? [`${more} more`] : [])].join(', ')}`;
}

function urlOf({ realm }: MissedMessages, messages: readonly MailedMessage[]): string {
  const [first] = messages;
  if (!first) return realm.url;
  const { id, channel_id, channel_name, topic, user_ids } = first;
  const path =
    channel_id === null
      ? directUrl(user_ids ?? [], id)
      : narrowUrl({ id: channel_id, name: channel_name ?? '' }, topic, id);
  return `${realm.url}${path}`;
}
