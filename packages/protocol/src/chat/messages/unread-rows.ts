import { foldCase } from '../../values/fold-case.ts';
import type { ChannelId, MessageId, UserId } from '../../values/ids.ts';
import { isShownMention } from './is-muted-topic.ts';
import type { UnreadMessages } from './message-state.ts';
import type { MessageFlag } from './message.ts';

type Ids = Pick<UnreadMessages['pms'][number], 'unread_message_ids'>;

/** The conversation of an unread message: a topic, or these users and the owner of the state. */
export type UnreadConversation =
  | { readonly stream_id: ChannelId; readonly topic: string }
  | { readonly others: readonly UserId[] };

/** Adds unread messages to their conversation. */
export function withUnread(
  unread: UnreadMessages,
  { ids, self, at }: { ids: readonly MessageId[]; self: UserId; at: UnreadConversation },
): UnreadMessages {
  if ('topic' in at) return { ...unread, streams: withUnreadIds(unread.streams, at, ids) };
  const [other_user_id = self, another] = at.others;
  if (another === undefined) {
    const row = { other_user_id, sender_id: other_user_id };
    return { ...unread, pms: withUnreadIds(unread.pms, row, ids) };
  }
  const everyone = [...at.others, self].sort((a, b) => a - b);
  const row = { user_ids_string: everyone.join() };
  return { ...unread, huddles: withUnreadIds(unread.huddles, row, ids) };
}

/**
 * Adds messages to the row of their conversation. The rows stay sorted. Topics are compared without
 * case; a row has the spelling of its oldest message.
 */
export function withUnreadIds<Row extends object>(
  rows: readonly (Row & Ids)[],
  row: Row,
  ids: readonly MessageId[],
): (Row & Ids)[] {
  const found = rows.find((other) => inOrder(other, row) === 0);
  const unread_message_ids = [...new Set([...(found?.unread_message_ids ?? []), ...ids])].sort(
    (a, b) => a - b,
  );
  const isOldest = found?.unread_message_ids[0] === unread_message_ids[0];
  const next = { ...(found && isOldest ? found : row), unread_message_ids };
  return [...rows.filter((other) => other !== found), next].sort(inOrder);
}

/** Compares by channel and topic, by user, or by the list of users, as the server does. */
function inOrder(a: object, b: object): number {
  const [[id, text], [otherId, otherText]] = [keyOf(a), keyOf(b)];
  return id - otherId || (text < otherText ? -1 : Number(text > otherText));
}

function keyOf(row: object): [id: number, text: string] {
  if ('stream_id' in row && 'topic' in row)
    return [Number(row.stream_id), foldCase(String(row.topic))];
  if ('other_user_id' in row) return [Number(row.other_user_id), ''];
  return [0, 'user_ids_string' in row ? String(row.user_ids_string) : ''];
}

/** Removes messages from all rows, and the rows that become empty. */
export function withoutUnread(unread: UnreadMessages, ids: ReadonlySet<MessageId>): UnreadMessages {
  const kept = <Row extends Ids>(rows: readonly Row[]): Row[] =>
    rows.flatMap((row) => {
      const unread_message_ids = row.unread_message_ids.filter((id) => !ids.has(id));
      if (unread_message_ids.length === row.unread_message_ids.length) return [row];
      return unread_message_ids.length === 0 ? [] : [{ ...row, unread_message_ids }];
    });
  return {
    ...unread,
    pms: kept(unread.pms),
    streams: kept(unread.streams),
    huddles: kept(unread.huddles),
    mentions: unread.mentions.filter((id) => !ids.has(id)),
  };
}

/** The IDs of all unread messages. */
export const idsOf = ({ pms, streams, huddles }: UnreadMessages): MessageId[] =>
  [...pms, ...streams, ...huddles].flatMap(({ unread_message_ids }) => unread_message_ids);

/** Adds an unread message to the mentions or removes it, depending on its flags and its topic. */
export function withMention(
  unread: UnreadMessages,
  id: MessageId,
  { flags, isMuted }: { readonly flags: readonly MessageFlag[]; readonly isMuted: boolean },
): UnreadMessages {
  const others = unread.mentions.filter((other) => other !== id);
  if (!isShownMention(flags, isMuted))
    return others.length === unread.mentions.length ? unread : { ...unread, mentions: others };
  return { ...unread, mentions: [...others, id].sort((a, b) => a - b) };
}
