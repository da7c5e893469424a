import type { Handlers, Resource } from '../../engine/resource.ts';
import * as queries from '../../model/bot-changes/queries.ts';

const handlers: Handlers<'botChanges'> = {
  async list({ user, db }) {
    return { changes: await queries.ofBot(db, user) };
  },

  async update({ user, params: { changes }, db }) {
    await queries.replace(db, user, changes);
    return {};
  },
};

export const botChanges: Resource<'botChanges'> = { handlers };
