import type { UserId } from '@bellhop/protocol';
import { invisibleEnd, nameAndId, userMention, wildcardOf } from '@bellhop/protocol/plain';

import type { Delivery } from '../delivery.ts';
import { isSameName, mentionsIn } from '../mentions.ts';

/** A message with its HTML; empty if it is unknown. */
interface Said {
  readonly content: string;
  readonly renderedContent: string;
}

/** What a delivery says of its bot. With an empty name and no ID, every user mention is its mention. */
interface Addressed extends Pick<Delivery, 'botUserId' | 'botFullName' | 'trigger'> {
  readonly message: Pick<Said, 'renderedContent'>;
}

/**
 * The content without the mention of the bot at its start, in every form that the server reads as
 * its mention, and without a punctuation mark after the mention. What the server has rendered
 * decides: the bot may have had another name then.
 */
export function addressedText({ content, renderedContent }: Said, delivery: Addressed): string {
  const text = content.trim();
  const start = invisibleEnd(text, 0);
  userMention.lastIndex = start;
  if (!userMention.test(text)) return text;
  const end = userMention.lastIndex;
  const mentioned = text.slice(text.indexOf('**', start) + 2, end - 2);
  const botId = botIdOf(delivery);
  const id = botId === undefined ? undefined : firstMentioned(renderedContent);
  const isOwn = id === undefined ? isNamed(mentioned, delivery.botFullName, botId) : id === botId;
  return isOwn ? text.slice(end).replace(PUNCTUATION, '').trimStart() : text;
}

/** Whether a message begins with a mention that only its HTML can tell from one of the bot. */
export function mayMention(content: string, delivery: Addressed): boolean {
  if (!/^@_?\*\*/.test(content.trim()) || botIdOf(delivery) === undefined) return false;
  return addressedText({ content, renderedContent: '' }, delivery) === content.trim();
}

/**
 * The ID of the bot that gets a delivery. A payload does not have it: it is the ID of the mentioned
 * user with the name of the bot, or of the only one whom a message mentions that came as a mention.
 */
export function botIdOf(delivery: Addressed): UserId | undefined {
  const { botUserId, botFullName, trigger, message } = delivery;
  if (botUserId !== undefined) return botUserId;
  const mentions = mentionsIn(message.renderedContent);
  if (mentions.length === 0) return undefined;
  const namesakes = mentions.filter(({ name }) => isSameName(name, botFullName));
  const loud = trigger === 'mention' ? mentions.filter(({ isSilent }) => !isSilent) : [];
  const [first, ...others] = namesakes.length > 0 ? namesakes : loud;
  return others.every(({ id }) => id === first?.id) ? (first?.id as UserId) : undefined;
}

function isNamed(mentioned: string, botName: string, botId: UserId | undefined): boolean {
  if (wildcardOf(mentioned) !== undefined) return false;
  const { name, id } = nameAndId(mentioned);
  if (id !== undefined && botId !== undefined) return id === botId;
  return botName === '' || isSameName(name, botName);
}

/** The ID of the user whose mention is the first text of a message. */
function firstMentioned(html: string): number | undefined {
  const id = FIRST_MENTION.exec(html)?.[1];
  return id === undefined ? undefined : Number(id);
}

const FIRST_MENTION =
  /^(?:<(?!span\b)[^<>]*>|[\s\p{Cf}])*<span class="user-mention(?: silent)?" data-user-id="(\d{1,15})">/u;

const MARK = String.raw`[\p{Terminal_Punctuation}\p{Pd}…]`;
const GAP = String.raw`(?:[^\S\n]|\p{Cf})`;
/**
 * A punctuation mark after a mention, of any script: `@**Bot**: hi`, `@**Bot** ：hi`, `@**Bot** — hi`.
 * A dot, a dash and the like are text if something follows them at once, as in `--force`.
 */
const PUNCTUATION = new RegExp(
  String.raw`^(?:\p{Cf}*(?:[,:]|(?!\p{ASCII})${MARK}|${MARK}(?=\s|$))|${GAP}+(?:(?!\p{ASCII})\p{Terminal_Punctuation}|(?![-.!?])${MARK}(?=\s|$)))`,
  'u',
);
