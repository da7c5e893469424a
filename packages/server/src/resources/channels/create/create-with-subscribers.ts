import type { Handlers } from '../../../engine/resource.ts';
import { byIds } from '../../../model/channels/channel-rows.ts';
import { newChannelOf } from '../../../model/channels/create/channel-creation.ts';
import { checkChannelName } from '../../../model/channels/create/channel-name.ts';
import { requireCanCreateChannel } from '../../../model/channels/create/create-access.ts';
import { createChannel } from '../../../model/channels/create/create-channel.ts';
import { principalsOf } from '../../../model/channels/subscribe/principals.ts';
import { emitDefaultChannels } from '../emit-default-channels.ts';
import { sendNotices } from '../subscribe/notices.ts';
import { subscribeUsers } from '../subscribe/subscribe-users.ts';

/**
 * Creates a channel and subscribes users to it (spec, Create a channel): the caller only if listed.
 * Like the public server, a channel without subscribers is not announced.
 */
export const createWithSubscribers: Handlers<'channels'>['create'] = async (call) => {
  const { actor, params, db } = call;
  const { realm, user, now } = actor;
  const name = checkChannelName(params.name);
  await requireCanCreateChannel(db, actor, params);
  const users =
    params.subscribers.length === 0 ? [] : await principalsOf(db, actor, params.subscribers);
  const id = await createChannel(
    db,
    { realm, creator_id: user.id, now },
    { ...newChannelOf(params), name, description: params.description },
  );
  if (id === undefined)
    return call.fail('CHANNEL_ALREADY_EXISTS', `Channel '${name}' already exists`, {
      channel_name: name,
    });
  const created = [id];
  await subscribeUsers(call, { realm, now, users, channels: created, created, sight: call });
  if (params.is_default_stream) await emitDefaultChannels(call, realm);
  const announce = params.announce && users.length > 0;
  await sendNotices(call, {
    ...actor,
    users,
    created,
    channels: await byIds(db, realm.id, created),
    params: { announce, send_new_subscription_messages: false },
    isNew: new Set(),
  });
  return { id };
};
