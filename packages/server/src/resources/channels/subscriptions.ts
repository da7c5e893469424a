import type { Handlers, Resource } from '../../engine/resource.ts';
import { viewOptionsOf, subscriptionsFor } from './channels-for.ts';
import { addSubscriptions } from './subscribe/add-subscriptions.ts';
import { presentSubscription } from './subscribe/present-subscription.ts';

const handlers: Handlers<'subscriptions'> = {
  async list({ user, realm, params, db, app }) {
    const { subscriptions: mine } = await subscriptionsFor(db, {
      realm,
      viewer: user,
      now: app.now(),
      include_subscribers: params.include_subscribers,
      notification_settings_null: true,
    });
    return { subscriptions: mine };
  },
  add: addSubscriptions,
};

export const subscriptions: Resource<'subscriptions'> = {
  handlers,
  state: {
    subscription: (viewing) =>
      subscriptionsFor(viewing.db, {
        ...viewOptionsOf(viewing),
        include_subscribers: viewing.params.include_subscribers,
        notification_settings_null: viewing.params.client_capabilities.notification_settings_null,
      }),
  },
  presenters: () => ({ subscription: presentSubscription }),
};
