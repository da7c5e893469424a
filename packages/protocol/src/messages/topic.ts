import { z } from 'zod';

/** How the empty topic is shown to clients that do not know it (`realm_empty_topic_display_name`). */
export const EMPTY_TOPIC_DISPLAY_NAME = 'general chat';
export const MAX_TOPIC_LENGTH = 60;

/**
 * A topic as clients write it: outer white space goes, `(no topic)` and the display name of the
 * empty topic mean the empty string (spec, Conventions 6 and typing, feature level 372).
 */
export const Topic = z
  .string()
  .trim()
  .transform((topic) =>
    topic === '(no topic)' || topic === EMPTY_TOPIC_DISPLAY_NAME ? '' : topic,
  );

/** The topic as a client that may not know the empty topic should see it. */
export const shownTopic = (topic: string, allowEmpty: boolean): string =>
  topic === '' && !allowEmpty ? EMPTY_TOPIC_DISPLAY_NAME : topic;
