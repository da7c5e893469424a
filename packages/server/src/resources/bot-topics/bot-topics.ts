import { badRequest } from '@bellhop/protocol';

import type { Handlers, Resource } from '../../engine/resource.ts';
import * as queries from '../../model/bot-topics/queries.ts';
import { visibleChannel } from '../../model/channels/readable-channels.ts';
import { printableTopic } from '../../model/messages/topic-rules.ts';
import { requireRoom } from '../../model/require-room.ts';

const handlers: Handlers<'botTopics'> = {
  async subscribe({ user, app, params, db }) {
    const channel = await visibleChannel(db, user, { id: params.stream_id, name: null });
    if (!channel?.is_readable) throw badRequest('Invalid channel ID');
    const now = app.now();
    const expires_at = await queries.subscribe(db, user, {
      channel_id: channel.id,
      topic: printableTopic(params.topic),
      expires_at: now + params.expires_in,
      now,
    });
    await requireRoom(db, 'bot_topic', { realm_id: user.realm_id, user_id: user.id });
    return { expires_at };
  },

  async list({ user, app, db }) {
    const rows = await queries.ofBot(db, user, app.now());
    const topics = rows.map(({ channel_id: stream_id, topic, expires_at }) => ({
      stream_id,
      topic,
      expires_at: Number(expires_at),
    }));
    return { topics };
  },

  async unsubscribe({ user, params: { stream_id, topic }, db }) {
    await queries.unsubscribe(db, user, { channel_id: stream_id, topic: printableTopic(topic) });
    return {};
  },
};

export const botTopics: Resource<'botTopics'> = { handlers };
