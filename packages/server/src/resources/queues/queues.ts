import { badRequest } from '@bellhop/protocol';

import type { Handlers, Resource } from '../../engine/resource.ts';
import { register } from './register.ts';

const handlers: Handlers<'queues'> = {
  register,

  async events({ user, realm, params, app, signal }) {
    const { queue_id, last_event_id, dont_block } = params;
    // Optional in the contract: public servers answer BAD_REQUEST, not REQUEST_VARIABLE_MISSING.
    if (queue_id === undefined) throw badRequest("Missing 'queue_id' argument");
    if (last_event_id === undefined) throw badRequest("Missing 'last_event_id' argument");
    const poll = {
      realm: realm.id,
      user_id: user.id,
      queue_id,
      last_event_id,
      dont_block,
      signal: signal(),
    };
    // Not awaited: the poll may take a minute, and this function would keep the call in memory.
    return app.queues.poll(poll).then((events) => ({ events: [...events] as never, queue_id }));
  },

  async remove({ db, user, params, app }) {
    await app.queues.remove(db, user, params.queue_id);
    return {};
  },
};

export const queues: Resource<'queues'> = { handlers };
