import { MAX_QUEUES_PER_USER } from '@bellhop/protocol';
import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { type Person, startTestChat } from '../../test-chat.fixture.ts';

const POLLS = 600;

interface Listener {
  readonly id: string;
  readonly acknowledged_id: number;
  readonly user: Person['user'];
  readonly headers: { readonly authorization: string };
}

test('600 polls that return at once on 3 database connections are all answered, none with an error', async () => {
  await using chat = await startTestChat();
  const { url, server } = await chat.anotherNode({ maxConnections: 3 });
  const { kysely } = chat.server.app.db;
  const listeners: Listener[] = [];
  for (let n = 0; n < POLLS / MAX_QUEUES_PER_USER; n++) {
    const { client, user, email, api_key } = await chat.addPerson(`listener${n}`);
    const { queue_id } = await client.queues.register({
      event_types: ['typing'],
      fetch_event_types: [],
    });
    const { rows } = await sql<{ id: string; acknowledged_id: number }>`
      insert into event_queue (realm_id, id, user_id, registration, client, acknowledged_id, scanned_seq,
        lifespan_seconds)
      select realm_id, gen_random_uuid(), user_id, registration, client, acknowledged_id, scanned_seq,
        lifespan_seconds
      from event_queue, generate_series(1, ${MAX_QUEUES_PER_USER}) where id = ${queue_id}
      returning id, acknowledged_id`.execute(kysely);
    const headers = { authorization: `Basic ${btoa(`${email}:${api_key}`)}` };
    listeners.push(...rows.map((row) => ({ ...row, user, headers })));
  }
  const pollAll = (last: (n: number) => number, more = '') =>
    Promise.all(
      listeners.map(async ({ id, headers }, n) => {
        const query = `queue_id=${id}&last_event_id=${last(n)}${more}`;
        const response = await fetch(`${url}/api/v1/events?${query}`, { headers });
        const body = (await response.json()) as { events?: { id: number; type: string }[] };
        return { status: response.status, events: body.events };
      }),
    );
  const polls = pollAll((n) => listeners[n]?.acknowledged_id ?? 0);
  await expect.poll(() => server.app.queues.waiting, { timeout: 30_000 }).toBe(POLLS);
  const to = [...new Set(listeners.map(({ user }) => user.id))];
  await chat.people.iago.client.typing.send({ op: 'start', to });
  const first = await polls;
  const event = { type: 'typing', id: expect.any(Number) };
  expect(first).toEqual(
    first.map(() => ({ status: 200, events: [expect.objectContaining(event)] })),
  );
  const last = first.map(({ events }) => events?.[0]?.id ?? 0);
  const again = await pollAll((n) => last[n] ?? 0, '&dont_block=true');
  expect(again).toEqual(again.map(() => ({ status: 200, events: [] })));
}, 60_000);
