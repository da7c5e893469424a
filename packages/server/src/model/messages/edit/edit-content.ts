import { createHash } from 'node:crypto';

import { ApiError, badRequest, checkContent } from '@bellhop/protocol';

import type { Db } from '../../../engine/call.ts';
import { settingsOf } from '../../realms/realm-settings.ts';
import { widgetTypeOf } from '../../submessages/check-part.ts';
import { attachedTo } from '../../submessages/queries.ts';
import type { ChangeableMessage } from '../changeable-message.ts';
import * as queries from '../queries.ts';
import { mentionFlags } from '../read/flags.ts';
import { renderContent } from '../render-content.ts';
import { requireCanMentionWildcard } from '../send/access.ts';
import type { MessageEdit } from './message-edit.ts';
import type { NewContent } from './queries.ts';

/** Seconds that clients and networks may add to the realm's time limit. */
export const GRACE_SECONDS = 20;
/** The content of a message whose content was removed. */
const REMOVED_CONTENT = '(deleted)';

/** New content of a message, and the mentions in it. */
export interface ContentEdit {
  readonly columns: NewContent;
  readonly attachment_paths: readonly string[];
  readonly mentioned_group_ids: readonly number[];
  readonly flagsOf: ReturnType<typeof mentionFlags>;
}

/** Throws EXPECTATION_MISMATCH if the content has changed since the client read it. */
export function requireExpected({ content }: ChangeableMessage, sha256: string | undefined): void {
  if (sha256 === undefined) return;
  const actual = createHash('sha256').update(content).digest('hex');
  if (actual !== sha256.toLowerCase())
    throw new ApiError('EXPECTATION_MISMATCH', {
      message: 'The message was changed in the meantime; look at it again.',
      data: { field_name: 'prev_content_sha256' },
    });
}

/**
 * Throws BAD_REQUEST unless the user is the sender and within the realm's time limit. Ending a form has
 * no limit: a question may wait for days, and buttons that no longer do anything mislead people.
 */
export function requireCanEditContent(
  { realm, user, now, target }: MessageEdit,
  { endsForm = false } = {},
): void {
  const { allow_message_editing, message_content_edit_limit_seconds: limit } = settingsOf(realm);
  if (!allow_message_editing) throw badRequest('Your organization has turned off message editing');
  if (target.sender_id !== user.id)
    throw badRequest("You don't have permission to edit this message");
  if (!endsForm && limit !== null && now - target.sent_at > limit + GRACE_SECONDS)
    throw badRequest('The time limit for editing this message has passed');
}

/**
 * Whether an edit of the content ends the form (zform) of a message: its buttons go, so that a bot can
 * show what was answered. Throws BAD_REQUEST for another widget: the votes and tasks in it would no
 * longer fit its content.
 */
export async function endsForm(db: Db, { realm, target }: MessageEdit): Promise<boolean> {
  const { widget } = await attachedTo(db, {
    realm_id: realm.id,
    message_id: target.id,
    author_id: target.sender_id,
  });
  if (widget === undefined) return false;
  if (widgetTypeOf(widget) !== 'zform') throw badRequest('Widgets cannot be edited.');
  return true;
}

/** Renders new content. Throws BAD_REQUEST, STREAM_ or TOPIC_WILDCARD_MENTION_NOT_ALLOWED. */
export async function editContent(
  db: Db,
  { realm, user, target }: MessageEdit,
  given: string,
): Promise<ContentEdit> {
  const content = checkContent(given.trim() === '' ? REMOVED_CONTENT : given);
  const { channel, topic } = target;
  const mentioned = await renderContent(db, {
    realm,
    sender: user,
    content,
    in_channel: channel !== null,
  });
  const participants =
    channel && mentioned.topic_wildcard
      ? await queries.topicParticipants(db, realm.id, { channel_id: channel.id, topic })
      : [];
  await requireCanMentionWildcard(db, { realm, sender: user }, mentioned, {
    subscribers: channel?.subscriber_count ?? 0,
    participants: participants.length,
  });
  const { html, is_me_message, has_link, has_image, has_attachment } = mentioned;
  return {
    columns: {
      content,
      rendered_content: html,
      is_me_message,
      has_link,
      has_image,
      has_attachment,
    },
    attachment_paths: mentioned.attachment_paths,
    mentioned_group_ids: mentioned.mentioned_group_ids,
    flagsOf: mentionFlags(mentioned, participants),
  };
}
