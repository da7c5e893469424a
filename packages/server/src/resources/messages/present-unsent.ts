import { shownTopic } from '@bellhop/protocol';

import type { Presenter } from '../../engine/stored-event.ts';

interface UnsentMessage {
  readonly type: string;
  readonly topic?: string;
}

/** A draft or a scheduled message for a client: the empty topic of a channel by its name, if it does not accept that. */
export const withShownTopic = <M extends UnsentMessage>(message: M, allowEmpty: boolean): M =>
  message.type === 'stream' && message.topic !== undefined
    ? { ...message, topic: shownTopic(message.topic, allowEmpty) }
    : message;

/** Presents events about unsent messages, which have one of them under `one`, or several under `many`. */
export const presentUnsent =
  ({ one, many }: { readonly one: string; readonly many: string }): Presenter =>
  ({ payload }, { registration }) => {
    const shown = (message: unknown) =>
      withShownTopic(message as UnsentMessage, registration.capabilities.empty_topic_name);
    if (one in payload) return [{ ...payload, [one]: shown(payload[one]) }];
    if (many in payload) return [{ ...payload, [many]: (payload[many] as unknown[]).map(shown) }];
    return [payload];
  };
