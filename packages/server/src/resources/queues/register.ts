import { QUEUE_LIFESPAN, MAX_QUEUE_LIFESPAN, thisVersion } from '@bellhop/protocol';

import type { Resource } from '../../engine/call.ts';
import { idOf, newestSeq } from '../../engine/event-log.ts';

export const register: Resource<'queues'>['register'] = async ({
  user,
  realm,
  params,
  client,
  app,
}) =>
  app.change(
    realm,
    async ({ db }) => {
      if (!user) throw new Error('not there yet');
      const start = idOf(await newestSeq(db, realm.id));
      const queue_id = crypto.randomUUID();
      await db
        .insertInto('event_queue')
        .values({
          id: queue_id,
          realm_id: realm.id,
          user_id: user.id,
          registration: JSON.stringify({
            apply_markdown: params.apply_markdown,
            client_gravatar: params.client_gravatar ?? true,
            slim_presence: params.slim_presence,
            all_public_streams: params.all_public_streams,
            include_subscribers: params.include_subscribers,
            event_types: params.event_types ?? null,
            narrow: params.narrow ?? [],
            capabilities: params.client_capabilities,
          }),
          client,
          start_id: start,
          acknowledged_id: start,
          lifespan_seconds: Math.min(
            params.queue_lifespan_secs || QUEUE_LIFESPAN,
            MAX_QUEUE_LIFESPAN,
          ),
        })
        .execute();
      return { queue_id, last_event_id: start, ...thisVersion };
    },
    { snapshot: true },
  );
