import type { Change } from '../../../engine/call.ts';
import type { Actor } from '../../../engine/caller.ts';
import { codeSpan } from '../../../markdown/code-span.ts';
import type { ChannelRow } from '../../../model/channels/channel-rows.ts';
import { isSamePrivacy, privacyName } from '../../../model/channels/update/privacy.ts';
import { mention, sendChannelNotice } from '../channel-notice.ts';

interface UpdatedChannel {
  readonly before: ChannelRow;
  readonly after: ChannelRow;
}

/** Sends notices to the channel: one for each changed property that readers care about. */
export async function sendUpdateNotices(
  change: Change<'message' | 'stream'>,
  actor: Actor,
  { before, after }: UpdatedChannel,
): Promise<void> {
  for (const content of noticesOf(mention(actor.user), before, after))
    await sendChannelNotice(change, actor, { channel: after, content });
}

function noticesOf(by: string, before: ChannelRow, after: ChannelRow): string[] {
  const notices: string[] = [];
  if (before.name !== after.name)
    notices.push(`${by} renamed channel ${codeSpan(before.name)} to ${codeSpan(after.name)}.`);
  if (!isSamePrivacy(before, after))
    notices.push(
      `${by} changed the access permissions for this channel from **${privacyName(before)}** to **${privacyName(after)}**.`,
    );
  if (before.description !== after.description)
    notices.push(
      `${by} changed the description for this channel.\n\n* **Old description:**\n${quoted(before.description)}\n* **New description:**\n${quoted(after.description)}`,
    );
  if (before.message_retention_days !== after.message_retention_days)
    notices.push(
      `${by} has changed the message retention period for this channel:\n* **Old retention period**: ${retention(before)}\n* **New retention period**: ${retention(after)}`,
    );
  if (before.can_send_message_group !== after.can_send_message_group)
    notices.push(`${by} changed the posting permissions for this channel.`);
  return notices;
}

const quoted = (description: string) =>
  `\`\`\`\` quote\n${description === '' ? '*No description.*' : description}\n\`\`\`\``;

function retention({ message_retention_days: days }: ChannelRow): string {
  if (days === null) return 'organization default';
  if (days === -1) return 'forever';
  return days === 1 ? '1 day' : `${days} days`;
}
