import type { WebhookTrigger } from './outgoing-webhook.ts';

/** A new message, and the users who may be bots with a webhook; `Id` names a user. */
export interface SentMessage<Id> {
  readonly isFromBot: boolean;
  /** Who is in the direct message; undefined for a message in a channel. */
  readonly participants: readonly Id[] | undefined;
  /**
   * Whom a message in a channel mentions by name, subscribed or not, and the subscribers among the groups
   * that it mentions. Wildcards and silent mentions call nobody.
   */
  readonly mentioned: readonly Id[];
  /** Who is subscribed to its topic (`POST /bot_topics`). */
  readonly followers: readonly Id[];
}

/** Whom a new message calls, and why. A message of a bot calls nobody, so that two bots cannot go on forever. */
export function calledBots<Id>({
  isFromBot,
  participants,
  mentioned,
  followers,
}: SentMessage<Id>): ReadonlyMap<Id, WebhookTrigger> {
  const called = new Map<Id, WebhookTrigger>();
  if (isFromBot) return called;
  if (participants) for (const id of participants) called.set(id, 'direct_message');
  else {
    for (const id of followers) called.set(id, 'follow_up');
    for (const id of mentioned) called.set(id, 'mention');
  }
  return called;
}

/** A message that a person has changed. */
export interface ChangedMessage<Id> {
  readonly sender: Id;
  readonly participants: readonly Id[] | undefined;
  readonly followers: readonly Id[];
}

/**
 * Whom a change of a message concerns, if they ask for its kind (`PATCH /bot_changes`): its sender, who
 * is in it as a direct message, and who is subscribed to its topic.
 */
export const concernedBots = <Id>({
  sender,
  participants,
  followers,
}: ChangedMessage<Id>): ReadonlySet<Id> => new Set([sender, ...(participants ?? followers)]);

/** Whether a message is addressed to the bot that gets it, so that its sender expects a reply. */
export const isAddressed = (trigger: WebhookTrigger): boolean =>
  trigger === 'mention' || trigger === 'direct_message';
