import type { Change } from '../../../engine/call.ts';
import type { Realm } from '../../../engine/caller.ts';
import * as channelRows from '../../../model/channels/channel-rows.ts';
import * as edits from '../../../model/messages/edit/queries.ts';
import { historicalFlags, messageAudience } from '../../../model/messages/read/message-audience.ts';

interface NewRendering {
  readonly realm: Realm;
  readonly message: edits.RenderedRow;
  readonly rendered_content: string;
  /** UNIX seconds. */
  readonly now: number;
}

/** Replaces the HTML of a message that nobody edited. Its readers get `rendering_only`. */
export async function replaceRendering(
  { db, emit }: Pick<Change<'update_message'>, 'db' | 'emit'>,
  { realm, message, rendered_content, now }: NewRendering,
): Promise<void> {
  const { id, channel_id, content, is_me_message } = message;
  await edits.setRendering(db, { realm: realm.id, id }, rendered_content);
  const [channel = null] =
    channel_id === null ? [] : await channelRows.byIds(db, realm.id, [channel_id]);
  const changed = { id, channel, user: null, sendsFlags: true };
  const { audience, users } = await messageAudience(db, realm, changed);
  emit(
    {
      type: 'update_message',
      user_id: null,
      rendering_only: true,
      message_id: id,
      message_ids: [id],
      flags: historicalFlags,
      edit_timestamp: now,
      ...(channel ? { stream_id: channel.id, stream_name: channel.name } : {}),
      content,
      rendered_content,
      is_me_message,
    },
    audience,
    { users },
  );
}
