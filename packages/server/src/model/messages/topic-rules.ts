import { badRequest, cutTopic, EMPTY_TOPIC_DISPLAY_NAME, RESOLVED_MARK } from '@bellhop/protocol';

import type { Realm } from '../../engine/caller.ts';
import type { PostableChannel } from '../channels/postable-channel.ts';
import { settingsOf } from '../realms/realm-settings.ts';

const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u;

/** Cuts a topic to 60 characters. Throws BAD_REQUEST for an unprintable character. */
export function printableTopic(topic: string): string {
  const characters = Array.from(topic);
  const bad = characters.findIndex((character) => UNPRINTABLE.test(character));
  if (bad !== -1) throw badRequest(`Invalid character in topic, at position ${bad + 1}!`);
  return cutTopic(topic);
}

type TopicsPolicy = Pick<PostableChannel, 'topics_policy'>;

/** Whether the topics policy of a channel, or of its realm, allows a topic. */
export function allowsTopic(realm: Realm, { topics_policy }: TopicsPolicy, topic: string): boolean {
  const policy = topics_policy === 'inherit' ? settingsOf(realm).topics_policy : topics_policy;
  return topic === '' ? policy !== 'disable_empty_topic' : policy !== 'empty_topic_only';
}

/** Throws BAD_REQUEST if the topics policy does not allow a topic. */
export function requireAllowedTopic(realm: Realm, channel: TopicsPolicy, topic: string): void {
  if (allowsTopic(realm, channel, topic)) return;
  const message =
    topic === ''
      ? 'Sending messages to the general chat is not allowed in this channel.'
      : 'Only the general chat topic is allowed in this channel.';
  throw badRequest(message, { empty_topic_display_name: EMPTY_TOPIC_DISPLAY_NAME });
}

/** Whether renaming a topic only adds or only removes the mark of a resolved topic. */
export function resolutionOf(before: string, after: string): 'resolved' | 'unresolved' | undefined {
  if (after === RESOLVED_MARK + before && !before.startsWith(RESOLVED_MARK)) return 'resolved';
  const isUnresolved = before.startsWith(RESOLVED_MARK) && !after.startsWith(RESOLVED_MARK);
  return isUnresolved && before.replace(/^[\u2714 ]+/u, '') === after ? 'unresolved' : undefined;
}
