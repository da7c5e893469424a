import {
  type AnswerOf,
  badRequest,
  type ChannelId,
  foldCase,
  type ParamsOf,
  type Api,
  type UserId,
} from '@bellhop/protocol';

import type { Change, LockedChange, Tx } from '../../../engine/call.ts';
import type { Actor, User } from '../../../engine/caller.ts';
import * as channelRows from '../../../model/channels/channel-rows.ts';
import type { ChannelRow } from '../../../model/channels/channel-rows.ts';
import { channelsWithAccess } from '../../../model/channels/channels-with-access.ts';
import { newChannelOf } from '../../../model/channels/create/channel-creation.ts';
import { checkChannelName } from '../../../model/channels/create/channel-name.ts';
import { requireCanCreateChannel } from '../../../model/channels/create/create-access.ts';
import { createChannel } from '../../../model/channels/create/create-channel.ts';
import { checkColor } from '../../../model/channels/subscribe/colors.ts';
import { principalsOf } from '../../../model/channels/subscribe/principals.ts';
import type { SightEvent } from '../../user-events/changing-sight.ts';
import { emitDefaultChannels } from '../emit-default-channels.ts';
import { sendNotices } from './notices.ts';
import { subscribeUsers } from './subscribe-users.ts';

type Params = ParamsOf<Api['subscriptions']['add']>;
interface SubscribeCall extends Actor {
  readonly params: Params;
  /** Emits the new default channels. Null if the params never make any. */
  readonly defaults: Pick<Change<'default_streams'>, 'db' | 'emit'> | null;
}
type RequestedChannel = Omit<Params['subscriptions'][number], 'color'> & {
  readonly color: string | undefined;
};

/** Subscribes the caller or others, and creates the channels that do not exist. */
export async function addSubscriptions(
  change: LockedChange<'stream' | 'subscription' | 'message' | SightEvent>,
  call: SubscribeCall,
): Promise<AnswerOf<Api['subscriptions']['add']>> {
  const { db } = change;
  const { realm, params } = call;
  const requested = requestedChannels(params);
  const users = await principalsOf(db, call, params.principals);
  const { rows, created } = await findOrCreate(db, call, requested);
  const existing = rows.filter(({ id }) => !created.includes(id));
  const { allowed, unauthorized } = await authorized(db, call, { existing, users });
  if (unauthorized.length > 0 && params.authorization_errors_fatal)
    throw badRequest(`Unable to access channel (${requested.get(unauthorized[0] ?? '')?.name}).`);
  const channels = rows.filter(({ id }) => created.includes(id) || allowed.has(id));
  const colors = new Map(
    channels.flatMap(({ id, name }) => {
      const color = requested.get(foldCase(name))?.color;
      return color === undefined ? [] : [[id, color] as const];
    }),
  );
  const ids = channels.map(({ id }) => id);
  const added = await subscribeUsers(change, {
    ...call,
    users,
    channels: ids,
    created,
    colors,
    sight: change,
  });
  if (call.defaults && created.length > 0 && params.is_default_stream)
    await emitDefaultChannels(call.defaults, realm);
  const isNew = new Set(added.map(({ user_id, channel_id }) => `${user_id} ${channel_id}`));
  const sent = await sendNotices(change, { ...call, users, channels, created, isNew });
  const named = (fresh: boolean) =>
    Object.fromEntries(
      users
        .map(
          ({ id }) => [id, namesOf(channels, (of) => isNew.has(`${id} ${of}`) === fresh)] as const,
        )
        .filter(([, names]) => names.length > 0),
    );
  return {
    subscribed: named(true),
    already_subscribed: named(false),
    ...(params.authorization_errors_fatal
      ? {}
      : { unauthorized: unauthorized.map((key) => requested.get(key)?.name ?? key) }),
    ...(params.send_new_subscription_messages ? { new_subscription_messages_sent: sent } : {}),
  };
}

const namesOf = (channels: readonly ChannelRow[], holds: (id: ChannelId) => boolean) =>
  channels.filter(({ id }) => holds(id)).map(({ name }) => name);

/** The requested channels by the folded name, each once. */
function requestedChannels({ subscriptions: list }: Params): Map<string, RequestedChannel> {
  const requested = new Map<string, RequestedChannel>();
  for (const one of list) {
    const name = checkChannelName(one.name);
    const color = checkColor(one.color);
    if (!requested.has(foldCase(name))) requested.set(foldCase(name), { ...one, name, color });
  }
  return requested;
}

async function findOrCreate(
  db: Tx,
  subscribeCall: SubscribeCall,
  requested: ReadonlyMap<string, RequestedChannel>,
) {
  const { realm } = subscribeCall;
  const find = () =>
    channelRows.byNames(
      db,
      realm.id,
      [...requested.values()].map(({ name }) => name),
    );
  const known = await find();
  const viewed = await channelsWithAccess(db, subscribeCall.user, known);
  const hidden = viewed.filter(({ access }) => !access.seesMetadata);
  // A user who may not create channels learns nothing about a hidden one: the error is that of a
  // missing channel.
  if (known.length - hidden.length < requested.size)
    await requireCanCreateChannel(db, subscribeCall, subscribeCall.params);
  const names = new Set(known.map(({ name }) => foldCase(name)));
  const missing = [...requested].filter(([key]) => !names.has(key)).map(([, one]) => one);
  if (missing.length === 0) return { rows: known, created: [] };
  const created = await createAll(db, subscribeCall, missing);
  // Another transaction may have created one of them meanwhile: it is found here.
  return { rows: await find(), created };
}

async function createAll(
  db: Tx,
  { realm, user, params, now }: SubscribeCall,
  missing: readonly RequestedChannel[],
): Promise<ChannelId[]> {
  const created: ChannelId[] = [];
  for (const { name, description } of missing) {
    const id = await createChannel(
      db,
      { realm, creator_id: user.id, now },
      { ...newChannelOf(params), name, description },
    );
    if (id !== undefined) created.push(id);
  }
  return created;
}

interface RequestedSubscriptions {
  readonly existing: readonly ChannelRow[];
  readonly users: readonly User[];
}

/**
 * The channels that the caller may subscribe these users to, and the names of those they may not
 * read. Throws BAD_REQUEST for an archived channel, and for a channel that the caller may read but
 * not add others to.
 */
async function authorized(
  db: Tx,
  { user }: SubscribeCall,
  { existing, users }: RequestedSubscriptions,
): Promise<{ allowed: Set<ChannelId>; unauthorized: string[] }> {
  const allowed = new Set<ChannelId>();
  const unauthorized: string[] = [];
  const forOthers = users.some(({ id }: { id: UserId }) => id !== user.id);
  for (const { row, access } of await channelsWithAccess(db, user, existing)) {
    if (!access.readsContent) unauthorized.push(foldCase(row.name));
    else if (row.is_archived) throw badRequest(`Channel '${row.name}' is archived.`);
    else if (forOthers && !access.addsSubscribers) throw badRequest('Insufficient permission');
    else allowed.add(row.id);
  }
  return { allowed, unauthorized };
}
