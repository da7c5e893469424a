import type { UserId } from '@bellhop/protocol';

import type { Db } from '../../../engine/call.ts';
import { subscribersAmong } from '../../channels/subscribe/subscribers.ts';
import type { Recipients, SendRequest } from '../message.ts';
import { flagBits, mentionFlags } from '../read/flags.ts';
import type { RenderedContent } from '../render-content.ts';

/** Flags that a message gets for single users, if they receive it. */
export type PersonalFlags = ReadonlyMap<UserId, number>;

interface SentContent {
  readonly content: RenderedContent;
  /** The participants of the topic, if the content mentions them all. */
  readonly participants: readonly UserId[];
  readonly personal: PersonalFlags | undefined;
}

/**
 * Who gets a message, with which flags. Of the subscribers of a channel only those are looked up of whom
 * something is said: that they are mentioned, or have read it.
 */
export async function recipientsOf(
  db: Db,
  request: SendRequest,
  { content, participants, personal }: SentContent,
): Promise<Recipients> {
  const { realm, sender, to, read_by = [] } = request;
  const allBut = 'allBut' in read_by ? new Set(read_by.allBut) : undefined;
  const readers = new Set([
    ...('allBut' in read_by ? [] : read_by),
    ...(request.read_by_sender ? [sender.id] : []),
  ]);
  const mentions = mentionFlags(content, participants);
  const flagsOf = (user: UserId) =>
    mentions(user) |
    (readers.has(user) || allBut?.has(user) === false ? flagBits.read : 0) |
    (personal?.get(user) ?? 0);
  const common =
    (content.channel_wildcard ? flagBits.stream_wildcard_mentioned : 0) |
    (allBut ? flagBits.read : 0);
  if (!('channel' in to))
    return { common, flags: new Map(to.participants.map(({ id }) => [id, flagsOf(id)])) };
  const { channel } = to;
  const named = new Set([
    ...content.mentioned_user_ids,
    ...content.group_member_ids,
    ...participants,
    ...(allBut ?? []),
    ...readers,
    ...(personal?.keys() ?? []),
  ]) as Set<UserId>;
  const others = [...named].filter((id) => id !== sender.id && flagsOf(id) !== common);
  const received = await subscribersAmong(db, realm.id, { channel_id: channel.id, users: others });
  const own = channel.is_sender_subscribed && flagsOf(sender.id) !== common ? [sender.id] : [];
  const users = [...own, ...others.filter((id) => received.has(id))];
  return { common, flags: new Map(users.map((id) => [id, flagsOf(id)])) };
}
