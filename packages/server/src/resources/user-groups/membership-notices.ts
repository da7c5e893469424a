import { groupMention } from '@bellhop/protocol';

import type { Change } from '../../engine/call.ts';
import type { Actor, User } from '../../engine/caller.ts';
import { codeSpan } from '../../markdown/code-span.ts';
import * as users from '../../model/users/queries.ts';
import { sendDirectMessage } from '../messages/send/send-message.ts';

/** With more users than this no notices are sent, as for new subscriptions. */
const MAX_NOTICES = 100;

interface MembershipNotice {
  readonly group: { readonly id: number; readonly name: string };
  readonly affected: readonly User[];
  readonly action: 'added you to' | 'removed you from';
}

/**
 * Sends users a direct message of the notification bot when another user has added them to a group
 * or removed them from it. Bots, deactivated users and the user who did it get none.
 */
export async function sendMembershipNotices(
  change: Change<'message'>,
  { realm, user, now }: Actor,
  { group, affected, action }: MembershipNotice,
): Promise<void> {
  const recipients = affected.filter((one) => one.id !== user.id && !one.is_bot && one.is_active);
  if (recipients.length === 0 || recipients.length > MAX_NOTICES) return;
  const bot = await users.systemBot(change.db, realm.id, 'notification-bot');
  for (const recipient of recipients)
    await sendDirectMessage(change, {
      realm,
      sender: bot,
      client: 'Internal',
      now,
      resolves: { users: [user], channels: [], groups: [group] },
      to: { participants: [bot, recipient] },
      content: `@_**${user.full_name}|${user.id}** ${action} the group ${groupMarkdown(group.name)}.`,
      read_by_sender: true,
    });
}

/** A silent mention, or inline code if a mention cannot contain the name. */
const groupMarkdown = (name: string) => {
  const text = `@_*${name}*`;
  return new RegExp(`^${groupMention.source}$`).test(text) ? text : codeSpan(name);
};
