import { applyEvent } from '@bellhop/client';
import type { AskOf, InitialState, QueuedEvent, queues, ResultOf } from '@bellhop/protocol';
import type { Person } from '@bellhop/server/testing';
import { expect } from 'vitest';

type Registration = AskOf<typeof queues.register>;

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
 * Proves that a reader can follow what happens: the state they had, with the events they got, is the
 * state they would be given now. Returns the events.
 */
export async function explains(
  { client, user }: Person,
  act: () => Promise<unknown>,
  registration: Registration = {},
): Promise<QueuedEvent[]> {
  const asked = { ...everything, include_subscribers: true, ...registration };
  const before = await client.queues.register(asked);
  await act();
  const after = await client.queues.register(asked);
  const events: QueuedEvent[] = [];
  for (let last_event_id = before.last_event_id; before.queue_id !== null;) {
    const answer = await client.queues.events({
      queue_id: before.queue_id,
      last_event_id,
      dont_block: true,
    });
    if (answer.events.length === 0) break;
    events.push(...(answer.events as QueuedEvent[]));
    last_event_id = answer.events.at(-1)?.id ?? last_event_id;
  }
  const reader = { user_id: user.id, include_subscribers: asked.include_subscribers ?? false };
  const followed = events
    .filter(({ id }) => id <= after.last_event_id)
    .reduce((state, event) => applyEvent(state, event, reader), stateOf(before));
  expect(followed).toEqual(stateOf(after));
  return events;
}

function stateOf(registered: ResultOf<typeof queues.register>): InitialState {
  const { queue_id: _queue, last_event_id: _last, server_timestamp: _now, ...state } = registered;
  return state;
}
