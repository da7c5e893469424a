import { type Api, badRequest, type ParamsOf } from '@bellhop/protocol';

import type { Change, Db } from '../../../engine/call.ts';
import type { Handlers } from '../../../engine/resource.ts';
import { findAlerted } from '../../../model/alert-words/find-alerted.ts';
import { recordMissed } from '../../../model/mails/missed/record-missed.ts';
import { changeableMessage, unlockedMessage } from '../../../model/messages/changeable-message.ts';
import {
  editContent,
  endsForm,
  type ContentEdit,
  requireExpected,
  requireCanEditContent,
} from '../../../model/messages/edit/edit-content.ts';
import type { ContentChange, MessageEdit } from '../../../model/messages/edit/message-edit.ts';
import * as edits from '../../../model/messages/edit/queries.ts';
import { requireCanMove } from '../../../model/messages/move/access.ts';
import { lockWholeTopic } from '../../../model/messages/move/lock-whole-topic.ts';
import { type Move, planMove } from '../../../model/messages/move/plan-move.ts';
import { CONTENT_FLAGS, flagBits, MENTION_FLAGS } from '../../../model/messages/read/flags.ts';
import { historicalFlags, messageAudience } from '../../../model/messages/read/message-audience.ts';
import { recipientFlags, setFlags } from '../../../model/messages/read/recipient-flags.ts';
import { removeAll } from '../../../model/submessages/queries.ts';
import { pushTo } from '../../devices/message-push/push-messages.ts';
import { movePolicies } from '../../user-topics/move-policies.ts';
import { triggerChanges } from '../../webhooks/trigger-changes.ts';
import { at, extentOf } from '../move/move-extent.ts';
import { moveMessages } from '../move/move-messages.ts';
import { sendMoveNotices } from '../move/move-notices.ts';
import { updateUploads } from './update-uploads.ts';

/** Edits the content, the topic and the channel of a message, with one event and one history entry. */
export const editMessage: Handlers<'messages'>['edit'] = async (call) => {
  const { actor, user, params, db } = call;
  const moves = params.topic !== undefined || params.stream_id !== undefined;
  if (moves && params.propagate_mode === 'change_all') {
    const first = await unlockedMessage(db, actor, params.message_id);
    // Before the lock: a user without the right would make others wait for the whole topic.
    await allowed(db, { ...actor, target: first }, params);
    await lockWholeTopic(db, user, first);
  }
  const target = await changeableMessage(db, actor, params.message_id);
  const edit: MessageEdit = { ...actor, target };
  const { move, endsForm: ending } = await allowed(db, edit, params);
  const rendered =
    params.content === undefined ? undefined : await editContent(db, edit, params.content);
  if (!rendered && !move) throw badRequest('Nothing to change');
  const updated = rendered && (await updateUploads(call, edit, rendered));
  const content = updated && (await applyContent(call, edit, updated.rendered));
  if (ending) await removeAll(db, { realm_id: actor.realm.id, message_id: target.id });
  if (content) {
    const { orig_content } = content;
    const edited = { message_id: target.id, kind: 'edit', details: { orig_content } } as const;
    await triggerChanges(call, actor, edited);
  }
  if (move) {
    const ids = await moveMessages(call, edit, { move, content });
    const extent = await extentOf(call, user, { move, ids });
    const { isWhole, isMerge: merges } = extent;
    const topics = { from: at(move.from), to: at(move.to) };
    if (isWhole) await movePolicies(call, edit, { ...topics, merges });
    await sendMoveNotices(call, { ...edit, move, ids, extent, params });
  } else if (content) await recordAndEmit(call, edit, content);
  return { detached_uploads: updated?.detached ?? [] };
};

/**
 * The move that an edit asks for, and whether the edit ends a form, if the user may make this edit.
 * Throws as the parts of the check do.
 */
async function allowed(
  db: Db,
  edit: MessageEdit,
  params: ParamsOf<Api['messages']['edit']>,
): Promise<{ readonly move: Move | undefined; readonly endsForm: boolean }> {
  requireExpected(edit.target, params.prev_content_sha256);
  const isForm = params.content !== undefined && (await endsForm(db, edit));
  if (params.content !== undefined) requireCanEditContent(edit, { endsForm: isForm });
  const move = await planMove(db, edit, params);
  if (move) await requireCanMove(db, edit, move);
  return { move, endsForm: isForm };
}

async function applyContent(
  change: Pick<Change, 'db' | 'nowMs'>,
  edit: MessageEdit,
  { columns, flagsOf, mentioned_group_ids }: ContentEdit,
): Promise<ContentChange> {
  const { db } = change;
  const { realm, now, target } = edit;
  const { id } = target;
  await edits.setContent(db, { realm: realm.id, id }, { ...columns, last_edited_at: now });
  const received = await recipientFlags(db, realm.id, id);
  const [alerted] = await findAlerted(db, realm.id, [columns.content]);
  const bits = received.map(({ user_id }) => ({
    user_id,
    flags: flagsOf(user_id) | (alerted?.has(user_id) ? flagBits.has_alert_word : 0),
  }));
  const changed = bits.filter(
    ({ flags }, at) => ((received[at]?.flags ?? 0) & CONTENT_FLAGS) !== flags,
  );
  await setFlags(db, { realm: realm.id, id, mask: CONTENT_FLAGS }, changed);
  const message = { ...target, channel_id: target.channel?.id ?? null, mentioned_group_ids };
  const newlyMentioned = received.flatMap(({ user_id, flags: before }, at) => {
    const flags = (before & ~CONTENT_FLAGS) | (bits[at]?.flags ?? 0);
    return flags & MENTION_FLAGS & ~before ? [{ message, user_id, flags }] : [];
  });
  await pushTo(change, edit, newlyMentioned);
  await recordMissed(db, edit, newlyMentioned);
  return {
    orig_content: target.content,
    orig_rendered_content: target.rendered_content,
    content: columns.content,
    rendered_content: columns.rendered_content,
    is_me_message: columns.is_me_message,
  };
}

async function recordAndEmit(
  change: Change<'update_message'>,
  { realm, user, now, target }: MessageEdit,
  content: ContentChange,
): Promise<void> {
  const { id, channel } = target;
  const { orig_content: prev_content, orig_rendered_content: prev_rendered_content } = content;
  const by = { user_id: user.id, timestamp: now };
  await edits.recordHistory(
    change.db,
    { realm: realm.id, ids: [id] },
    { ...by, prev_content, prev_rendered_content },
  );
  const changed = { id, channel, user, sendsFlags: true };
  const { audience, users } = await messageAudience(change.db, realm, changed);
  change.emit(
    {
      type: 'update_message',
      user_id: user.id,
      rendering_only: false,
      message_id: id,
      message_ids: [id],
      flags: historicalFlags,
      edit_timestamp: now,
      ...(channel ? { stream_id: channel.id, stream_name: channel.name } : {}),
      ...content,
    },
    audience,
    { users },
  );
}
