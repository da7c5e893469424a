import { badRequest, legacyPresence } from '@bellhop/protocol';

import type { Handlers, Resource } from '../../engine/resource.ts';
import * as queries from '../../model/presence/queries.ts';
import {
  legacyPresences,
  modernPresences,
  recentPresences,
  timesOf,
} from '../../model/presence/recent-presences.ts';
import { visibleUser } from '../../model/users/users-by-address.ts';
import { presentPresence } from './present-presence.ts';
import { recordPresence } from './record-presence.ts';

const handlers: Handlers<'presence'> = {
  async update({ user, realm, app, params, db, emit }) {
    const now = app.now();
    await recordPresence({ db, emit }, { realm, user, isActive: params.status === 'active', now });
    if (params.ping_only) return {};
    const { last_update_id: after, slim_presence, history_limit_days: days } = params;
    const { seen, newest } = await recentPresences(db, { realm, viewer: user, now, days, after });
    const isModern = slim_presence || after !== undefined;
    return {
      presences: isModern ? modernPresences(seen) : legacyPresences(seen, realm),
      presence_last_update_id: newest,
      server_timestamp: now,
    };
  },

  async get({ user: viewer, realm, params: { user_id }, db }) {
    const user = await visibleUser(db, { realm, viewer }, user_id);
    if (!user?.is_active) throw badRequest('No such user');
    if (user.is_bot) throw badRequest('Presence is not supported for bot users.');
    const row = await queries.ofUser(db, user);
    if (!row) throw badRequest(`No presence data for ${user_id}`);
    const { status, timestamp } = legacyPresence(timesOf(row)).aggregated;
    return { presence: { aggregated: { status, timestamp }, website: { status, timestamp } } };
  },

  async list({ user: viewer, realm, app, db }) {
    const now = app.now();
    const { seen } = await recentPresences(db, { realm, viewer, now });
    return { presences: legacyPresences(seen, realm), server_timestamp: now };
  },
};

export const presence: Resource<'presence'> = {
  handlers,
  state: {
    async presence({ app, db, realm, user: viewer, params }) {
      const { slim_presence, client_capabilities, presence_history_limit_days: days } = params;
      const isModern = slim_presence || client_capabilities.simplified_presence_events;
      const now = app.now();
      const { seen, newest } = await recentPresences(db, { realm, viewer, now, days });
      return {
        presences: isModern ? modernPresences(seen) : legacyPresences(seen, realm),
        presence_last_update_id: newest,
        server_timestamp: now,
      };
    },
  },
  presenters: () => ({ presence: presentPresence }),
};
