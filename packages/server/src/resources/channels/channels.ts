import { type Api, badRequest, type ParamsOf, roles, shownTopic } from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import type { Handlers, Resource } from '../../engine/resource.ts';
import { userOrSpectator } from '../../engine/spectator.ts';
import { isPublic } from '../../model/channels/access.ts';
import { recordsOf } from '../../model/channels/channel-records.ts';
import { byNames, defaultIds } from '../../model/channels/channel-rows.ts';
import {
  requireVisibleChannel,
  type ChannelWithAccess,
  channelsWithAccess,
} from '../../model/channels/channels-with-access.ts';
import * as subscriptionRows from '../../model/channels/subscribe/subscription-rows.ts';
import {
  requireAdministers,
  requireContentAccess,
} from '../../model/channels/update/update-access.ts';
import { topicsOf } from '../../model/messages/topics/topic-rows.ts';
import * as users from '../../model/users/queries.ts';
import { deleteTopic } from '../messages/delete/delete-topic.ts';
import { archiveChannel } from './archive/archive-channel.ts';
import { channelsOfRegistration } from './channels-for.ts';
import { countRecentMessagesOfAll } from './count-recent-messages.ts';
import { createWithSubscribers } from './create/create-with-subscribers.ts';
import { presentStream } from './present-stream.ts';
import { setDefault } from './set-default.ts';
import { updateChannel } from './update/update-channel.ts';

const handlers: Handlers<'channels'> = {
  async list({ actor, user, params, db }) {
    const ofOwner = params.include_owner_subscribed ? await ownersChannels(db, user) : new Set();
    const chosen = (await channelsWithAccess(db, user)).filter(
      (channel) =>
        !(params.exclude_archived && channel.row.is_archived) &&
        (ofOwner.has(channel.row.id) || isRequested(channel, params)),
    );
    const rows = chosen.map(({ row }) => row);
    const records = await recordsOf(db, actor, rows);
    const streams = chosen.flatMap(({ row: { id, is_default } }) => {
      const record = records.get(id);
      if (!record) return [];
      return [params.include_default ? { ...record, is_default } : record];
    });
    return { streams: streams.toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
  },

  async id({ user, realm, params, db }) {
    const rows = await byNames(db, realm.id, [params.stream.trim()]);
    const [found] = await channelsWithAccess(db, user, rows);
    if (!found?.access.seesMetadata) throw badRequest(`Invalid channel name '${params.stream}'`);
    return { stream_id: found.row.id };
  },

  async subscribers({ user, realm, params: { stream_id }, db }) {
    await requireVisibleChannel(db, user, stream_id);
    const subscribers = await subscriptionRows.subscribersOf(db, realm.id, [stream_id]);
    return { subscribers: subscribers.get(stream_id) ?? [] };
  },

  async one({ actor, user, params: { stream_id }, db }) {
    const { row } = await requireVisibleChannel(db, user, stream_id);
    const stream = (await recordsOf(db, actor, [row])).get(stream_id);
    if (!stream) throw badRequest('Invalid channel ID');
    return { stream };
  },

  async topics(call) {
    const { db, params } = call;
    const { stream_id, allow_empty_topic_name } = params;
    const user = userOrSpectator(call);
    const channel = await requireVisibleChannel(db, user, stream_id);
    requireContentAccess(channel);
    const history = channel.access.readsHistory;
    const rows = await topicsOf(db, user, { channel: channel.row, history });
    return {
      topics: rows.map(({ topic, max_id }) => ({
        name: shownTopic(topic, allow_empty_topic_name),
        max_id,
      })),
    };
  },

  async emailAddress({ user, params: { stream_id }, db }) {
    requireContentAccess(await requireVisibleChannel(db, user, stream_id));
    return { email: '' };
  },

  create: createWithSubscribers,
  update: updateChannel,

  addDefault: (call) => setDefault(call, true),
  removeDefault: (call) => setDefault(call, false),
  deleteTopic,

  async archive(call) {
    const { app, actor, params, db } = call;
    const { row } = await requireAdministers(db, actor, params.stream_id);
    if (row.is_archived) throw badRequest('Channel is already archived.');
    await archiveChannel(app, call, actor, row);
    return {};
  },
};

export const channels: Resource<'channels'> = {
  handlers,
  jobs: () => [countRecentMessagesOfAll],
  presenters: () => ({ stream: presentStream }),
  state: {
    stream: async (viewing) => ({
      streams: [...(await channelsOfRegistration(viewing)).records.values()],
    }),
    default_streams: async ({ db, realm, user }) => ({
      realm_default_streams: user.role === roles.guest ? [] : await defaultIds(db, realm.id),
    }),
  },
};

/** Whether the flags of the request select a channel. They never select a channel that the user may not see. */
function isRequested(
  { row, access: { isSubscribed, readsContent, seesMetadata } }: ChannelWithAccess,
  flags: ParamsOf<Api['channels']['list']>,
): boolean {
  if (!seesMetadata) return false;
  return (
    flags.include_all ||
    flags.include_all_active ||
    (flags.include_can_access_content && readsContent) ||
    (flags.include_subscribed && isSubscribed) ||
    (flags.include_public && readsContent && isPublic(row)) ||
    (flags.include_web_public && row.is_web_public)
  );
}

/** The channels in which a bot may post because its owner is subscribed. */
async function ownersChannels(db: Db, bot: User): Promise<Set<number>> {
  const owner = await users.actingOwner(db, bot);
  if (owner === null) return new Set();
  const rows = await subscriptionRows.ofUser(db, bot.realm_id, owner);
  return new Set(rows.filter(({ is_active }) => is_active).map(({ channel_id }) => channel_id));
}
