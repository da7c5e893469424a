import type { Resource } from '../../engine/call.ts';
import { subscriptionsFor } from './channels-for.ts';
import { addSubscriptions } from './subscribe/add-subscriptions.ts';

export const subscriptions: Resource<'subscriptions'> = {
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
