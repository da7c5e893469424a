import {
  badRequest,
  type ChannelId,
  checkContent,
  cutTopic,
  type Draft,
  type DraftContent,
  meantTopic,
  type UserId,
} from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import type { Actor } from '../../engine/caller.ts';
import { visibleChannel } from '../channels/readable-channels.ts';
import { participantsOf } from '../messages/send/recipients.ts';
import * as users from '../users/queries.ts';
import type { DraftRow, DraftValues } from './queries.ts';

/**
 * A draft as it is stored. Throws BAD_REQUEST for empty content, null bytes, a channel that the user
 * may not see, and users to whom they could not write.
 */
export async function draftValues(
  db: Db,
  author: Actor,
  { type, to, topic, content, timestamp }: DraftContent,
): Promise<DraftValues> {
  const stored = {
    type,
    channel_id: null,
    user_ids: null,
    topic: '',
    content: checkContent(content),
    edited_at: Math.floor(timestamp ?? author.now),
  };
  if (topic.includes('\0')) throw badRequest('Topic must not contain null bytes');
  if (type === 'stream')
    return {
      ...stored,
      channel_id: await channelOf(db, author, to),
      topic: cutTopic(meantTopic(topic)),
    };
  if (type === 'private' && to.length > 0)
    return { ...stored, user_ids: await participantIds(db, author, to) };
  return stored;
}

async function channelOf(db: Db, { user }: Actor, to: readonly number[]): Promise<ChannelId> {
  const [id] = to;
  if (id === undefined || to.length > 1)
    throw badRequest('Must specify exactly 1 channel ID for channel messages');
  const channel = await visibleChannel(db, user, { name: null, id });
  if (!channel) throw badRequest('Invalid channel ID');
  return channel.id;
}

async function participantIds(
  db: Db,
  { realm, user: sender }: Actor,
  to: readonly number[],
): Promise<UserId[]> {
  const found = await users.byIds(db, realm.id, to);
  const known = new Map(found.map((one) => [one.id, one]));
  const ids = to as readonly UserId[];
  const participants = await participantsOf(db, { realm, sender }, { ids, known });
  return participants.map(({ id }) => id);
}

/** A stored draft in the form of the API: `to` has the other participants, or the user alone. */
export function draftRecord(row: DraftRow): Draft {
  const { id, type, channel_id, user_ids, topic, content, edited_at } = row;
  const others = (user_ids ?? []).filter((one) => one !== row.user_id);
  const to = others.length > 0 ? others : (user_ids ?? []);
  return {
    id,
    type,
    to: channel_id === null ? to : [channel_id],
    topic,
    content,
    timestamp: edited_at,
  };
}
