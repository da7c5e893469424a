import { z } from 'zod';

import { cutText } from '../../values/characters.ts';
import { TopicName } from '../../values/fields.ts';
import { MAX_NAME_LENGTH } from '../../values/limits.ts';

/**
 * The name of the empty topic for clients without `empty_topic_name`
 * (`realm_empty_topic_display_name`).
 */
export const EMPTY_TOPIC_DISPLAY_NAME = 'general chat';
/** The longest topic in characters. */
export const MAX_TOPIC_LENGTH = 60;

const namesOfEmptyTopic = new Set(['(no topic)', EMPTY_TOPIC_DISPLAY_NAME]);

/**
 * The topic that a client means: `(no topic)` and the display name of the empty topic are the empty
 * string. In any letter case, since topics that differ only in it are the same topic.
 */
export const meantTopic = (topic: string): string =>
  namesOfEmptyTopic.has(topic.toLowerCase()) ? '' : topic;

/**
 * A topic as clients send it. White space around it is removed; `(no topic)` and the display name
 * of the empty topic become the empty string (spec, Conventions 6 and typing, feature level 372).
 */
export const Topic = TopicName.max(MAX_NAME_LENGTH).trim().transform(meantTopic);

/** The parameter of clients that read topics without having registered their capabilities. */
export const AllowEmptyTopicName = z.boolean().default(false).meta({
  description: 'Whether the empty topic is shown as it is, not by its display name',
});

/** The topic, or the display name of the empty topic if the client does not accept that. */
export const shownTopic = (topic: string, allowEmpty: boolean): string =>
  topic === '' && !allowEmpty ? EMPTY_TOPIC_DISPLAY_NAME : topic;

/** Cuts a topic to 60 characters. */
export const cutTopic = (topic: string): string => cutText(topic, MAX_TOPIC_LENGTH, '...');
