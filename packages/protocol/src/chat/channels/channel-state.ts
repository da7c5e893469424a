import { z } from 'zod';

import { ChannelId } from '../../values/ids.ts';
import { section, type StateOf } from '../../wire/resource.ts';
import { Channel, Subscription } from './channel.ts';

export const channelState = {
  stream: section({ streams: z.array(Channel) }, { access: 'optional' }),
  default_streams: section({ realm_default_streams: z.array(ChannelId) }),
};
export const subscriptionState = {
  subscription: section(
    {
      subscriptions: z.array(Subscription),
      unsubscribed: z.array(Subscription),
      never_subscribed: z.array(Channel),
    },
    { access: 'optional' },
  ),
};
/** The state of channels and subscriptions. */
export type ChannelState = StateOf<typeof channelState> & StateOf<typeof subscriptionState>;
