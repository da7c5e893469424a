import { badRequest, shownTopic } from '@bellhop/protocol';

import type { Resource } from '../call.ts';
import { canPost, usersFor } from '../recipients.ts';

export const typing: Resource<'typing'> = {
  send({ params, user, world }) {
    const { type, op, to, stream_id, topic } = params;
    const sender = { user_id: user.user_id, email: user.email };
    if (type === 'channel') {
      if (stream_id === undefined) throw badRequest('Missing channel ID');
      if (topic === undefined) throw badRequest('Missing topic');
      const channel = world.channels.find((one) => one.stream_id === stream_id);
      if (!channel || !canPost(channel, user)) throw badRequest('Invalid channel ID');
      world.queues.publish({
        type: 'typing',
        audience: [...channel.subscribers].filter((id) => id !== user.user_id),
        show: ({ capabilities }) =>
          capabilities.stream_typing_notifications
            ? {
                op,
                message_type: 'stream',
                sender,
                stream_id,
                topic: shownTopic(topic, capabilities.empty_topic_name),
              }
            : undefined,
      });
      return {};
    }
    if (to === undefined || to.length === 0)
      throw badRequest("Missing parameter: 'to' (recipient)");
    const participants = [...new Set([...usersFor(world, to), user])];
    const recipients = participants.map(({ user_id, email }) => ({ user_id, email }));
    world.queues.publish({
      type: 'typing',
      audience: participants.map(({ user_id }) => user_id),
      show: () => ({ op, message_type: 'direct', sender, recipients }),
    });
    return {};
  },
};
