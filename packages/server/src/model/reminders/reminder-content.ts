import { cutText, directUrl, type MessageId, narrowUrl } from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { topicMarkdown } from '../../markdown/channel-markdown.ts';
import * as messages from '../messages/queries.ts';
import { readable } from '../messages/read/readable.ts';
import type { NoticeNames } from '../messages/render-content.ts';
import { visibleByIds } from '../users/access.ts';

/** Characters of the message that a reminder quotes at most. */
const MAX_QUOTED = 8000;

interface ReminderRequest {
  readonly realm: Realm;
  readonly user: User;
  readonly message_id: MessageId;
  readonly note: string;
}
interface ReminderContent {
  /** Markdown. */
  readonly content: string;
  readonly resolves: NoticeNames;
}

/** The text of a reminder. Undefined if the user may not read the message. */
export async function reminderContent(
  db: Db,
  { realm, user, message_id, note }: ReminderRequest,
): Promise<ReminderContent | undefined> {
  if (!(await readable(db, user, message_id))) return undefined;
  const message = await messages.byId(db, realm.id, message_id);
  if (!message) return undefined;
  const { channel_id, channel_name, topic, user_ids } = message;
  const [sender] = await visibleByIds(db, { realm, viewer: user }, [message.sender_id]);
  const author = sender ? `@_**${sender.full_name}|${sender.id}**` : 'An unknown user';
  const channel = channel_id === null ? undefined : { id: channel_id, name: channel_name ?? '' };
  const narrow = channel
    ? narrowUrl(channel, topic, message_id)
    : directUrl(user_ids ?? [], message_id);
  const place = channel ? ` in ${topicMarkdown(channel, topic)}` : '';
  const fence = fenceFor(message.content);
  const quoted = cutText(message.content, MAX_QUOTED);
  const lines = [
    `You asked to be reminded of this message.${note === '' ? '' : ` Your note:\n\n${quote(note)}`}`,
    `${author} [wrote](${realm.url}${narrow})${place}:`,
    `${fence}quote\n${quoted}\n${fence}`,
  ];
  return {
    content: lines.join('\n\n'),
    resolves: { users: sender ? [sender] : [], channels: channel ? [channel] : [] },
  };
}

const quote = (text: string) =>
  text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');

/** A fence that is longer than every row of backticks in a text. */
function fenceFor(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  return '`'.repeat(longest + 1);
}
