import type { ChannelId, EventOf } from '@bellhop/protocol';

import type { Presenter } from '../../../engine/stored-event.ts';
import {
  isForClient,
  type ArchivedChannelsFilter,
} from '../../../model/channels/archived-channels-filter.ts';
import {
  type PersonalSubscriptions,
  settingsFor,
} from '../../../model/channels/subscribe/subscription-records.ts';

declare module '../../../engine/stored-event.ts' {
  interface StoredEvents {
    subscription: (Exclude<EventOf<'subscription'>, { op: 'add' }> | NewSubscriptions) & {
      readonly only?: ArchivedChannelsFilter;
      /** The stored value is null: clients that read null have nothing to change. */
      readonly is_inherited?: true;
    };
  }
}
/** The channels, without the personal settings of a reader. */
interface NewSubscriptions {
  readonly type: 'subscription';
  readonly op: 'add';
  readonly subscriptions: readonly object[];
}

interface StoredChannel {
  readonly stream_id: ChannelId;
  readonly subscribers: readonly number[];
}

/**
 * A `subscription` event of op `add` for one queue: only the reader's new subscriptions, with the
 * reader's settings, and with subscribers if the queue asked for them.
 */
export const presentSubscription: Presenter = ({ payload, personal }, reader) => {
  const { only, is_inherited, ...event } = payload;
  if (!isForClient(only, reader)) return [];
  if (is_inherited && reader.registration.capabilities.notification_settings_null) return [];
  if (payload['op'] !== 'add') return [event];
  const mine = personal?.users?.[reader.user_id] as PersonalSubscriptions | undefined;
  if (!mine) return [];
  const { include_subscribers } = reader.registration;
  const channels = new Map(
    (payload['subscriptions'] as StoredChannel[]).map((one) => [one.stream_id, one]),
  );
  const subscriptions = settingsFor(mine, reader.registration).map((own) => {
    const { subscribers, ...channel } = channels.get(own.stream_id) ?? { subscribers: [] };
    return {
      ...channel,
      ...own,
      ...(include_subscribers === false ? {} : { subscribers }),
    };
  });
  return [{ type: 'subscription', op: 'add', subscriptions }];
};
