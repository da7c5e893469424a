import {
  badRequest,
  type ChannelId,
  compareUserTopics,
  shownTopic,
  visibilityPolicies,
} from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import type { Handlers, Resource } from '../../engine/resource.ts';
import { visibleChannel } from '../../model/channels/readable-channels.ts';
import { printableTopic } from '../../model/messages/topic-rules.ts';
import { requireRoom } from '../../model/require-room.ts';
import * as queries from '../../model/user-topics/queries.ts';
import { mutedTopicsFor, presentUserTopic } from './present-user-topic.ts';
import { setPolicy } from './set-policies.ts';

const handlers: Handlers<'userTopics'> = {
  async set({ actor, user, realm, params: { stream_id, topic, visibility_policy }, db, emit }) {
    const own = await ownTopic(db, user, { id: stream_id, name: null }, topic);
    await setPolicy({ db, emit }, actor, { ...own, visibility_policy });
    await requireRoom(db, 'user_topic', { realm_id: realm.id, user_id: user.id });
    return {};
  },

  async mute({ actor, user, realm, params: { stream, stream_id, topic, op }, db, emit }) {
    if (stream === undefined && stream_id === undefined)
      throw badRequest("Please supply 'stream' or 'stream_id'.");
    if (stream !== undefined && stream_id !== undefined)
      throw badRequest("Please choose one: 'stream' or 'stream_id'.");
    const address = { id: stream_id ?? null, name: stream?.trim() ?? null };
    const own = await ownTopic(db, user, address, topic);
    const { muted, inherit } = visibilityPolicies;
    if (op === 'remove' && (await queries.policyOf(db, realm.id, own)) !== muted)
      throw badRequest('Topic is not muted');
    const visibility_policy = op === 'add' ? muted : inherit;
    await setPolicy({ db, emit }, actor, { ...own, visibility_policy });
    await requireRoom(db, 'user_topic', { realm_id: realm.id, user_id: user.id });
    return {};
  },
};

/** A topic of a channel that the user may see. Throws BAD_REQUEST for any other channel. */
async function ownTopic(
  db: Db,
  user: User,
  address: { readonly id: ChannelId | null; readonly name: string | null },
  topic: string,
): Promise<queries.TopicOfUser> {
  const channel = await visibleChannel(db, user, address);
  if (!channel)
    throw badRequest(
      address.id === null ? `Invalid channel name '${address.name}'` : 'Invalid channel ID',
    );
  return { user_id: user.id, channel_id: channel.id, topic: printableTopic(topic) };
}

export const userTopics: Resource<'userTopics'> = {
  handlers,
  state: {
    async user_topic({ db, user, params }) {
      const { archived_channels, empty_topic_name } = params.client_capabilities;
      const rows = await queries.ofUser(db, user);
      const user_topics = rows
        .filter(({ is_archived }) => archived_channels || !is_archived)
        .map(({ topic_name, is_archived: _archived, ...topic }) => ({
          ...topic,
          topic_name: shownTopic(topic_name, empty_topic_name),
        }));
      return { user_topics: user_topics.toSorted(compareUserTopics) };
    },
    async muted_topics({ db, user, params, requests }) {
      if (requests('user_topic')) return undefined;
      const rows = await queries.muted(db, user.realm_id, [user.id]);
      return { muted_topics: mutedTopicsFor(rows, params.client_capabilities) };
    },
  },
  presenters: () => ({ user_topic: presentUserTopic }),
};
