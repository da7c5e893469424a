import type { MessageId, RecipientId, Submessage, UserId } from '@bellhop/protocol';

import type { Tx } from '../../../engine/call.ts';
import type { Realm, User } from '../../../engine/caller.ts';
import type { PostableChannel } from '../../channels/postable-channel.ts';
import { newWidget, widgetOf } from '../../submessages/widget.ts';
import { printableTopic, requireTakesTopic } from '../check-topic.ts';
import * as queries from '../queries.ts';
import { flagBits } from '../read/flags.ts';
import { mentionFlags } from '../read/mention-flags.ts';
import { checkContent, type RenderedContent, renderContent } from '../render-content.ts';
import { requireCanMentionAll, requireCanWriteTo } from './access.ts';

/** Where a message goes; who may post there has been asked before. */
export type Destination =
  | { readonly channel: PostableChannel; readonly topic: string }
  | { readonly participants: readonly User[] };

export interface Draft {
  readonly realm: Realm;
  readonly sender: User;
  readonly client: string;
  readonly now: number;
  readonly to: Destination;
  readonly content: string;
  /** A widget to start, checked before. */
  readonly widget_content?: string | undefined;
  /** From `queries.nextIds`, where it was asked for along with something else. */
  readonly id?: MessageId;
  readonly read_by_sender: boolean;
  /** Somebody else who knows it already: it tells what they did. */
  readonly read_by?: UserId;
  /** The queue that is told this message is the one it sent. */
  readonly echo?: { readonly queue_id: string; readonly local_id: string };
}

/** A message that may be sent, with all that is to be known of it. */
export interface Composed extends queries.Delivered {
  readonly draft: Draft;
  readonly mentioned: RenderedContent;
  /** The widget that it starts. */
  readonly submessages: readonly Submessage[];
}

interface Place {
  readonly recipient_id: RecipientId;
  readonly recipients: readonly UserId[];
}

/**
 * Renders a message and finds out whom it reaches. Throws an ApiError where it is not acceptable; of
 * a channel message nothing has been written then.
 */
export async function composeMessage(tx: Tx, draft: Draft): Promise<Composed> {
  const { realm, sender, to } = draft;
  const content = checkContent(draft.content);
  const in_channel = 'channel' in to;
  const topic = in_channel ? printableTopic(to.topic) : '';
  if (in_channel) requireTakesTopic(realm, to.channel, topic);
  const mentioned = await renderContent(tx, { realm, sender, content, in_channel });
  const { recipient_id, recipients } = await placeOf(tx, draft);
  const participants =
    in_channel && mentioned.topic_wildcard
      ? await queries.topicParticipants(tx, realm.id, { channel_id: to.channel.id, topic })
      : [];
  await requireCanMentionAll(tx, draft, mentioned, {
    subscribers: in_channel ? recipients.length : 0,
    participants: participants.length,
  });
  const id = draft.id ?? (await queries.nextId(tx));
  const message = {
    id,
    sender_id: sender.id,
    recipient_id,
    channel_id: in_channel ? to.channel.id : null,
    topic,
    content,
    rendered_content: mentioned.html,
    sent_at: draft.now,
    client: draft.client,
    is_me_message: mentioned.is_me_message,
    has_link: mentioned.has_link,
    has_image: mentioned.has_image,
    has_attachment: mentioned.has_attachment,
  };
  const flags = flagsOf(draft, recipients, { mentioned, participants });
  const widget = widgetOf(content, draft.widget_content);
  const start = async (text: string) =>
    newWidget(tx, { message_id: id, sender_id: sender.id, content: text });
  const submessages = widget === undefined ? [] : [await start(widget)];
  return { draft, message, mentioned, submessages, users: recipients, flags };
}

async function placeOf(tx: Tx, { realm, sender, to }: Draft): Promise<Place> {
  if ('channel' in to) {
    const { recipient_id, subscriber_ids } = to.channel;
    return { recipient_id, recipients: subscriber_ids };
  }
  const { participants } = to;
  const ids = participants.map(({ id }) => id);
  const { id, is_new } = await queries.conversation(tx, realm.id, ids);
  await requireCanWriteTo(tx, { realm, sender }, { participants, is_new });
  return { recipient_id: id, recipients: ids };
}

interface Concerned {
  readonly mentioned: RenderedContent;
  readonly participants: readonly UserId[];
}

function flagsOf(
  draft: Draft,
  recipients: readonly UserId[],
  { mentioned, participants }: Concerned,
): number[] {
  const mentions = mentionFlags(mentioned, participants);
  return recipients.map((id) => {
    const knows = id === draft.read_by || (id === draft.sender.id && draft.read_by_sender);
    return mentions(id) | (knows ? flagBits.read : 0);
  });
}
