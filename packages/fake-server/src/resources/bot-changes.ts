import { concernedBots, type MessageChangeKind } from '@bellhop/protocol';

import type { Account } from '../account.ts';
import type { Resource } from '../call.ts';
import type { StoredMessage } from '../stored-message.ts';
import type { World } from '../world.ts';
import { followersOf } from './bot-topics.ts';

export const botChanges: Resource<'botChanges'> = {
  list: ({ user }) => ({ changes: [...user.changes].toSorted() }),

  update({ params: { changes }, user }) {
    user.changes.clear();
    for (const kind of changes) user.changes.add(kind);
    return {};
  },
};

/** The bots that get a change of a message. */
export function changeReceivers(
  world: World,
  { sender, conversation }: StoredMessage,
  kind: MessageChangeKind,
): Account[] {
  const inChannel = 'channel' in conversation;
  const concerned = concernedBots({
    sender,
    participants: inChannel ? undefined : conversation.participants,
    followers: inChannel ? followersOf(world, conversation.channel, conversation.topic) : [],
  });
  return [...concerned].filter(({ bot, changes }) => bot && changes.has(kind));
}
