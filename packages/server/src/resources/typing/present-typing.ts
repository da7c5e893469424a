import { shownTopic } from '@bellhop/protocol';

import type { Presenter } from '../../engine/stored-event.ts';

/** Presents typing in a channel to clients with the capability, with the topic in their format. */
export const presentTyping: Presenter = ({ payload }, { registration: { capabilities } }) => {
  if (payload['message_type'] === 'direct') return [payload];
  if (!capabilities.stream_typing_notifications) return [];
  return [
    { ...payload, topic: shownTopic(String(payload['topic']), capabilities.empty_topic_name) },
  ];
};

/** Presents the editing of a message, with the topic of a channel in the format of the client. */
export const presentEditTyping: Presenter = ({ payload }, { registration }) => {
  const recipient = payload['recipient'] as { readonly type: string; readonly topic?: string };
  if (recipient.topic === undefined) return [payload];
  const topic = shownTopic(recipient.topic, registration.capabilities.empty_topic_name);
  return [{ ...payload, recipient: { ...recipient, topic } }];
};
