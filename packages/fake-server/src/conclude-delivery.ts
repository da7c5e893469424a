import { ApiError } from '@bellhop/protocol';

import type { Account } from './account.ts';
import type { Verdict } from './judge-answer.ts';
import { sendMessage } from './send-message.ts';
import type { StoredMessage } from './stored-message.ts';
import type { World } from './world.ts';

interface Ended {
  readonly bot: Account;
  readonly message: StoredMessage;
  readonly verdict: Verdict;
}

/** Says what the bot answered; or admits a failure where it was asked, and tells its owner more. */
export function concludeDelivery(world: World, ended: Ended): void {
  const { bot, message, verdict } = ended;
  message.received.get(bot.user_id)?.add('read');
  switch (verdict.kind) {
    case 'silence':
      return;
    case 'reply':
      try {
        reply(world, ended, verdict);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        admit(world, ended, {
          here: `The bot's reply was refused: ${error.message}`,
          excerpt: verdict.content,
        });
      }
      return;
    case 'failure':
      if (verdict.isForSender) return reply(world, ended, failure(verdict.reason));
      return admit(world, ended, { here: verdict.reason, excerpt: verdict.excerpt });
    case 'unavailable': {
      const here = verdict.afterSeconds === undefined ? 'The bot is unavailable.' : verdict.reason;
      const why = `All attempts failed. ${verdict.reason}`;
      return admit(world, ended, { here, why, excerpt: verdict.excerpt });
    }
  }
}

interface Said {
  readonly content: string;
  readonly widget_content?: string;
}

/** In the same channel and topic, whoever may post there, or to all participants. */
function reply(world: World, { bot, message }: Ended, { content, widget_content }: Said): void {
  sendMessage(world, {
    sender: bot,
    place: message.place,
    content,
    widget_content,
    client: 'OutgoingWebhookResponse',
    read_by_sender: true,
  });
}

const failure = (why: string): Said => ({ content: `Failure! ${why}` });

interface Trouble {
  /** For everybody in the conversation: nothing of the endpoint's own words. */
  readonly here: string;
  /** For the owner, where it is more. */
  readonly why?: string;
  readonly excerpt: string;
}

function admit(world: World, ended: Ended, { here, why = here, excerpt }: Trouble): void {
  const { bot, message } = ended;
  reply(world, ended, failure(here));
  if (!bot.bot) return;
  const about = `@_**${bot.full_name}|${bot.user_id}** was told of [a message](${linkTo(world, message)}).`;
  const words = quotable(excerpt).replaceAll(bot.bot.token, '[redacted]');
  sendMessage(world, {
    sender: bot,
    place: { people: [bot, bot.bot.owner] },
    content: `${about} ${why}${words === '' ? '' : `\n\n~~~~\n${words}\n~~~~`}`,
    client: 'Internal',
    read_by_sender: true,
  });
}

/** The endpoint's own words, as a message may hold them. */
const quotable = (words: string) =>
  words
    .replace(/[^\P{Cc}\n\t]/gu, '\u{fffd}')
    .slice(0, 2000)
    .trim();

const linkTo = ({ url }: World, { id, place }: StoredMessage) =>
  'channel' in place
    ? `${url}/#narrow/channel/${place.channel.stream_id}/topic/${encodeURIComponent(place.topic)}/near/${id}`
    : `${url}/#narrow/dm/${place.people.map(({ user_id }) => user_id).join(',')}/near/${id}`;
