import { badRequest, checkContent } from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import type { Actor } from '../../engine/caller.ts';
import { fillPreviews } from '../../markdown/fill-previews.ts';
import { findDestinations } from '../messages/send/find-destinations.ts';
import { channelOf, listedUsers } from '../messages/send/recipients.ts';
import { checkMessage } from '../messages/send/render-message.ts';
import { previewsFor } from '../uploads/previews-of.ts';
import type { ScheduledRow } from './queries.ts';

interface ScheduleRequest {
  readonly client: string;
  readonly type: 'direct' | 'channel';
  readonly to: number | number[];
  readonly topic: string | undefined;
  readonly content: string;
}

/**
 * Checks a message as if it were sent now. Returns its columns. Throws the errors of sending: the
 * user may not write there, or the message is not acceptable.
 */
export async function checkScheduled(
  db: Db,
  { realm, user, now }: Actor,
  { client, type, to, topic, content }: ScheduleRequest,
): Promise<
  Pick<ScheduledRow, 'channel_id' | 'user_ids' | 'topic' | 'content' | 'rendered_content'>
> {
  if (type === 'channel' && topic === undefined) throw badRequest('Missing topic');
  const [found] = await findDestinations(db, [
    {
      realm,
      sender: user,
      client,
      now,
      to:
        type === 'channel'
          ? { channel: channelOf(to), topic: topic ?? '' }
          : { participants: listedUsers(to) },
      content: checkContent(content),
      read_by_sender: false,
    },
  ]);
  if (found?.status !== 'fulfilled') throw found?.reason;
  const { to: destination } = found.value;
  const checked = await checkMessage(db, found.value);
  const { content: rendered } = checked;
  const previews = await previewsFor(db, user, rendered.attachment_paths);
  return {
    channel_id: 'channel' in destination ? destination.channel.id : null,
    user_ids: 'channel' in destination ? null : destination.participants.map(({ id }) => id),
    topic: checked.topic,
    content: found.value.content,
    rendered_content: fillPreviews(rendered.html, previews),
  };
}
