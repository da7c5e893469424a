import { badRequest, EMPTY_TOPIC_DISPLAY_NAME, MAX_TOPIC_LENGTH } from '@bellhop/protocol';

import type { Realm } from '../../engine/caller.ts';
import type { PostableChannel } from '../channels/postable-channel.ts';
import { settingsOf } from '../realms/realm-settings.ts';

const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u;
const RESOLVED = '\u2714 ';

/** A topic as it is stored, cut to 60 characters. Throws BAD_REQUEST for what cannot be printed. */
export function printableTopic(topic: string): string {
  const characters = Array.from(topic);
  const bad = characters.findIndex((character) => UNPRINTABLE.test(character));
  if (bad !== -1) throw badRequest(`Invalid character in topic, at position ${bad + 1}!`);
  return characters.length <= MAX_TOPIC_LENGTH
    ? topic
    : `${characters.slice(0, MAX_TOPIC_LENGTH - 3).join('')}...`;
}

type Taking = Pick<PostableChannel, 'topics_policy'>;

/** Whether a channel takes the empty topic only, every other topic only, or all of them. */
export function takesTopic(realm: Realm, { topics_policy }: Taking, topic: string): boolean {
  const policy = topics_policy === 'inherit' ? settingsOf(realm).topics_policy : topics_policy;
  return topic === '' ? policy !== 'disable_empty_topic' : policy !== 'empty_topic_only';
}

/** Throws BAD_REQUEST where a channel does not take a topic. */
export function requireTakesTopic(realm: Realm, channel: Taking, topic: string): void {
  if (takesTopic(realm, channel, topic)) return;
  const message =
    topic === ''
      ? 'Sending messages to the general chat is not allowed in this channel.'
      : 'Only the general chat topic is allowed in this channel.';
  throw badRequest(message, { empty_topic_display_name: EMPTY_TOPIC_DISPLAY_NAME });
}

/** What renaming a topic says of it: that it is resolved, or is not any more, and nothing else. */
export function resolutionOf(before: string, after: string): 'resolved' | 'unresolved' | undefined {
  if (after === RESOLVED + before && !before.startsWith(RESOLVED)) return 'resolved';
  const isUnresolved = before.startsWith(RESOLVED) && !after.startsWith(RESOLVED);
  return isUnresolved && before.replace(/^[\u2714 ]+/u, '') === after ? 'unresolved' : undefined;
}
