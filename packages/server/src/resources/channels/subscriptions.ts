import { api, badRequest } from '@bellhop/protocol';

import type { Handlers, Resource } from '../../engine/resource.ts';
import { requireVisibleChannel } from '../../model/channels/channels-with-access.ts';
import * as subscriptionRows from '../../model/channels/subscribe/subscription-rows.ts';
import type { SubscriptionRow } from '../../model/channels/subscribe/subscription-rows.ts';
import { visibleByIds } from '../../model/users/access.ts';
import { channelsOfRegistration, subscriptionsFor, visibleChannels } from './channels-for.ts';
import { addSubscriptions } from './subscribe/add-subscriptions.ts';
import { presentSubscription } from './subscribe/present-subscription.ts';
import { removeSubscriptions } from './subscribe/remove-subscriptions.ts';
import { setProperties } from './subscribe/set-properties.ts';

const handlers: Handlers<'subscriptions'> = {
  async list({ actor, params, db }) {
    const channels = await visibleChannels(db, actor);
    const { subscriptions: mine } = await subscriptionsFor(db, channels, {
      include_subscribers: params.include_subscribers,
      notification_settings_null: true,
    });
    return { subscriptions: mine };
  },

  async add(call) {
    const { actor, params } = call;
    return addSubscriptions(call, { ...actor, params, defaults: call });
  },

  remove: (call) =>
    removeSubscriptions(call, {
      names: call.params.subscriptions,
      principals: call.params.principals,
    }),

  async update(call) {
    const { actor, params } = call;
    if (params.add.length === 0 && params.delete.length === 0)
      throw badRequest('Nothing to do. Specify at least one of "add" or "delete".');
    const added =
      params.add.length === 0
        ? { subscribed: {}, already_subscribed: {} }
        : await addSubscriptions(call, {
            ...actor,
            params: api.subscriptions.add.params.parse({ subscriptions: params.add }),
            defaults: null,
          });
    const removed =
      params.delete.length === 0
        ? { removed: [], not_removed: [] }
        : await removeSubscriptions(call, { names: params.delete });
    const { subscribed, already_subscribed } = added;
    return { subscribed, already_subscribed, ...removed };
  },

  setProperties,

  async status({ user, realm, params: { user_id, stream_id }, db }) {
    const [target] = await visibleByIds(db, { realm, viewer: user }, [user_id]);
    if (!target) throw badRequest('No such user');
    await requireVisibleChannel(db, user, stream_id);
    const known = await subscriptionRows.ofUser(db, realm.id, user_id);
    const isThis = (row: SubscriptionRow) => row.channel_id === stream_id && row.is_active;
    return { is_subscribed: known.some(isThis) };
  },
};

export const subscriptions: Resource<'subscriptions'> = {
  handlers,
  state: {
    subscription: async (viewing) =>
      subscriptionsFor(viewing.db, await channelsOfRegistration(viewing), {
        include_subscribers: viewing.params.include_subscribers,
        notification_settings_null: viewing.params.client_capabilities.notification_settings_null,
      }),
  },
  presenters: () => ({ subscription: presentSubscription }),
};
