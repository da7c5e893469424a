import { ApiError } from '@bellhop/protocol';

import type { Change } from '../../engine/call.ts';
import { narrowUrl } from '../../markdown/narrow-url.ts';
import { postableChannel } from '../channels/postable-channel.ts';
import type { Destination } from '../messages/message.ts';
import { sendMessage } from '../messages/send/send-message.ts';
import * as users from '../users/queries.ts';
import type { LoadedDelivery } from './load-delivery.ts';

interface Speech {
  readonly delivery: LoadedDelivery;
  /** UNIX time in seconds. */
  readonly now: number;
  readonly content: string;
  /** A widget to start, checked before. */
  readonly widget_content?: string | undefined;
}

/**
 * Says something as the bot in the conversation that its webhook was told of: same channel and
 * topic, or to all participants. A bot that was mentioned may answer wherever that was, so who may
 * post there is not asked. Throws an ApiError where the message itself is not acceptable, or the
 * channel was archived meanwhile.
 */
export async function replyAsBot(
  change: Change<'message' | 'attachment'>,
  { delivery, now, content, widget_content }: Speech,
): Promise<void> {
  const { realm, bot, conversation } = delivery;
  const send = (to: Destination) =>
    sendMessage(
      change,
      {
        realm,
        sender: bot,
        client: 'OutgoingWebhookResponse',
        now,
        to,
        content,
        widget_content,
        read_by_sender: true,
      },
      { attachments: change },
    );
  if (!('channel' in conversation)) {
    await send(conversation);
    return;
  }
  const channel = await postableChannel(change.db, bot, { id: conversation.channel.id });
  if (!channel || channel.is_archived)
    throw new ApiError('BAD_REQUEST', { message: 'The channel is archived.' });
  await send({ channel, topic: conversation.topic });
}

/** Says "Failure!" in the conversation; not at all where that is no longer possible. */
export async function admitFailure(
  change: Change<'message' | 'attachment'>,
  speech: Speech,
): Promise<void> {
  try {
    await replyAsBot(change, { ...speech, content: `Failure! ${speech.content}` });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

/** Tells the bot's owner, in a direct message of the bot, about the delivery of a message. */
export async function tellOwner(
  change: Change<'message'>,
  { delivery, now, content }: Speech,
): Promise<void> {
  const { realm, bot } = delivery;
  const owner =
    bot.bot_owner_id === null ? undefined : await users.byId(change.db, realm.id, bot.bot_owner_id);
  if (!owner?.is_active) return;
  const about = `@_**${bot.full_name}|${bot.id}** was told of [a message](${messageLink(delivery)}).`;
  await sendMessage(change, {
    realm,
    sender: bot,
    client: 'Internal',
    now,
    to: { participants: [bot, owner] },
    content: `${about} ${content}`,
    read_by_sender: true,
  });
}

/** The address of the delivered message in its conversation. */
function messageLink({ realm, message, conversation }: LoadedDelivery): string {
  if ('channel' in conversation)
    return realm.url + narrowUrl(conversation.channel, conversation.topic, message.id);
  const { participants } = conversation;
  const ids = participants.map(({ id }) => id).join(',');
  return `${realm.url}/#narrow/dm/${ids}-${participants.length > 2 ? 'group' : 'dm'}/near/${message.id}`;
}

const MOST_QUOTED = 2000;

/** The endpoint's own words in a block that nothing in them can end. */
export function quoted(words: string): string {
  const text = words.slice(0, MOST_QUOTED).toWellFormed().trim();
  if (text === '') return '';
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `\n\n${fence}\n${text}\n${fence}`;
}
