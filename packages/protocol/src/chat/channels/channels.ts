import type { z } from 'zod';

import { event } from '../../wire/event.ts';
import { resource } from '../../wire/resource.ts';
import { changed } from '../changed.ts';
import { applyStream } from './apply-stream.ts';
import { applySubscription } from './apply-subscription.ts';
import { channelEndpoints } from './channel-endpoints.ts';
import { DefaultStreamsEvent, StreamEvent, SubscriptionEvent } from './channel-events.ts';
import { type ChannelState, channelState, subscriptionState } from './channel-state.ts';
import { subscriptionEndpoints } from './subscription-endpoints.ts';

const applyDefaultStreams = (
  state: ChannelState,
  { default_streams }: z.output<typeof DefaultStreamsEvent>,
): ChannelState => changed(state, 'realm_default_streams', () => default_streams);

export const channels = resource({
  endpoints: channelEndpoints,
  events: [event(StreamEvent, applyStream), event(DefaultStreamsEvent, applyDefaultStreams)],
  state: channelState,
});
export const subscriptions = resource({
  endpoints: subscriptionEndpoints,
  events: [event(SubscriptionEvent, applySubscription)],
  state: subscriptionState,
});
