import type { MessageChangeKind } from '@bellhop/protocol';

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

/** The bots that get a change of a message: of their own, a direct message, or in a topic of theirs. */
export function changeReceivers(
  world: World,
  { sender, conversation }: StoredMessage,
  kind: MessageChangeKind,
): Account[] {
  const concerned =
    'channel' in conversation
      ? [sender, ...followersOf(world, conversation.channel, conversation.topic)]
      : conversation.participants;
  return [...new Set(concerned)].filter(({ bot, changes }) => bot && changes.has(kind));
}
