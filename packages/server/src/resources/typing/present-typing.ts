import { shownTopic } from '@bellhop/protocol';

import type { Present } from '../../engine/stored-event.ts';

/** Typing in a channel goes only to clients that know it; the topic as they know it. */
export const presentTyping: Present = ({ payload }, { registration: { capabilities } }) => {
  if (payload['message_type'] === 'direct') return [payload];
  if (!capabilities.stream_typing_notifications) return [];
  return [
    { ...payload, topic: shownTopic(String(payload['topic']), capabilities.empty_topic_name) },
  ];
};
