import type { Resource } from '../../engine/call.ts';
import { addSubscriptions } from './add-subscriptions.ts';
import { subscriptionsFor } from './channels-for.ts';

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
