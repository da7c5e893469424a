import { applyEvent, type Client } from '@bellhop/client';
import type { AskOf, InitialState, QueuedEvent, Api, ResultOf } from '@bellhop/protocol';
import type { Person } from '@bellhop/server/testing';
import { expect } from 'vitest';

type Registration = AskOf<Api['queues']['register']>;
type Registered = ResultOf<Api['queues']['register']>;

const everything: Registration = {
  apply_markdown: true,
  client_gravatar: false,
  client_capabilities: {
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: false,
    stream_typing_notifications: true,
    user_settings_object: true,
    linkifier_url_template: true,
    user_list_incomplete: true,
    include_deactivated_groups: true,
    archived_channels: true,
    empty_topic_name: true,
    simplified_presence_events: true,
  },
};

/**
 * Expects that `act` leaves every reader with the right state: the initial state from before, after
 * the events that they received, equals the initial state that they would get now. Returns the
 * events of each reader.
 */
export async function expectEventsMatchState(
  readers: readonly Person[],
  act: () => Promise<unknown>,
  registration: Registration = {},
): Promise<QueuedEvent[][]> {
  const asked = { ...everything, include_subscribers: true, ...registration };
  const before = await Promise.all(readers.map(({ client }) => client.queues.register(asked)));
  await act();
  const seen: QueuedEvent[][] = [];
  for (const [at, { client, user }] of readers.entries()) {
    const start = before[at];
    if (!start) continue;
    const after = await client.queues.register(asked);
    const events = await eventsOf(client, start);
    seen.push(events);
    const owner = { user_id: user.id, include_subscribers: true };
    const applied = events
      .filter(({ id }) => id <= after.last_event_id)
      .reduce((state, event) => applyEvent(state, event, owner), stateOf(start));
    expect(applied, `the state of ${user.full_name}`).toEqual(stateOf(after));
  }
  return seen;
}

async function eventsOf(
  client: Client,
  { queue_id, last_event_id }: Registered,
): Promise<QueuedEvent[]> {
  const events: QueuedEvent[] = [];
  for (let last = last_event_id; queue_id !== null;) {
    const answer = await client.queues.events({ queue_id, last_event_id: last, dont_block: true });
    if (answer.events.length === 0) break;
    events.push(...(answer.events as QueuedEvent[]));
    last = answer.events.at(-1)?.id ?? last;
  }
  return events;
}

function stateOf(registered: Registered): InitialState {
  const { queue_id: _queue, last_event_id: _last, server_timestamp: _now, ...state } = registered;
  return state;
}
