import { ApiError, badRequest, type Api, type ParamsOf } from '@bellhop/protocol';

import type { Account } from './account.ts';
import type { Channel } from './conversation.ts';
import { accountById, accountOf, channelNamed, type World } from './world.ts';

type To = ParamsOf<Api['messages']['send']>['to'];

/** The channel in `to`. Throws STREAM_DOES_NOT_EXIST if there is none or the sender may not see it. */
export function channelFor(world: World, to: To, sender: Account): Channel {
  const [one, ...more] = Array.isArray(to) ? to : [to];
  if (one === undefined || more.length > 0) throw badRequest('Expected exactly one channel');
  const channel =
    typeof one === 'number'
      ? world.channels.find(({ stream_id }) => stream_id === one)
      : channelNamed(world, one.trim());
  if (!channel || !canPost(channel, sender)) throw noSuchChannel(one);
  return channel;
}

export const noSuchChannel = (one: string | number): ApiError =>
  new ApiError('STREAM_DOES_NOT_EXIST', {
    message: `Channel '${one}' does not exist`,
    data: typeof one === 'number' ? { stream_id: one } : { stream: one.trim() },
  });

/** Whether the sender, or the owner of a sending bot, may post in the channel. */
export function canPost({ invite_only, subscribers }: Channel, sender: Account): boolean {
  const ids = [sender.user_id, sender.bot?.owner.user_id];
  return !invite_only || ids.some((id) => id !== undefined && subscribers.has(id));
}

/** Throws STREAM_DOES_NOT_EXIST, as for a missing channel, unless the sender may post in it. */
export function requireCanPost(channel: Channel, sender: Account): void {
  if (!canPost(channel, sender)) throw noSuchChannel(channel.name);
}

/** The users in `to`, listed by id or e-mail address. Throws BAD_REQUEST. */
export function usersFor(world: World, to: To): readonly Account[] {
  if (typeof to === 'number')
    throw badRequest('Recipient list: expected a list of user IDs, as [12]');
  const listed = typeof to === 'string' ? to.split(',').flatMap((one) => one.trim() || []) : to;
  if (listed.length === 0) throw badRequest('Message must have recipients');
  if (new Set(listed.map((one) => typeof one)).size > 1)
    throw badRequest('Recipient lists may contain emails or user IDs, but not both.');
  return listed.map((one) => {
    const account = typeof one === 'number' ? accountById(world, one) : accountOf(world, one);
    if (account) return account;
    throw badRequest(typeof one === 'number' ? `Invalid user ID ${one}` : `Invalid email '${one}'`);
  });
}
