import type { Database } from '@bellhop/postgres';
import type { ChannelId, UserId } from '@bellhop/protocol';

import * as subscriptionRows from '../model/channels/subscribe/subscription-rows.ts';
import type { Person } from '../test-chat.fixture.ts';
import { everyoneInChannel } from './audience.ts';
import type { Change } from './call.ts';
import { EventQueues } from './event-queues.ts';
import type { Tables } from './tables.ts';

/** Starts the event queues of another node. Its polls wait for 20 ms. */
export async function startNode(db: Database<Tables>): Promise<EventQueues> {
  const queues = new EventQueues({
    db,
    presenters: {},
    shownToGuest: async (_guest, events) => events,
    onError: () => {},
    heartbeatMs: 20,
    random: () => 0,
  });
  await queues.start();
  return queues;
}

export const join = (change: Change, channel_id: ChannelId, { user }: Person) =>
  subscriptionRows.subscribe(change, user.realm_id, [
    { channel_id, user_id: user.id, color: '#76ce90' },
  ]);
export const leave = (change: Change, id: ChannelId, { user }: Person) =>
  subscriptionRows.unsubscribe(change, user.realm_id, { channels: [id], users: [user.id] });

/** Emits an event with this mark to the subscribers of a channel. */
export const say = (
  { emit }: Change,
  { channel, mark, others = [] }: { channel: ChannelId; mark: string; others?: readonly number[] },
) =>
  emit(
    {
      type: 'typing',
      op: 'start',
      message_type: 'direct',
      sender: { user_id: 0 as UserId, email: mark },
      recipients: [],
    },
    [everyoneInChannel(channel), ...others],
  );

/** A queue that remembers the marks of the events that it got. */
export class MarkQueue {
  readonly #user: Person;
  readonly #queue_id: string;
  #last_event_id: number;
  #isPolling = false;
  /** In the order in which they came. */
  readonly received: string[] = [];

  private constructor(user: Person, registered: { queue_id: string; last_event_id: number }) {
    this.#user = user;
    this.#queue_id = registered.queue_id;
    this.#last_event_id = registered.last_event_id;
  }

  static async register(user: Person, all_public_streams = false): Promise<MarkQueue> {
    const { queue_id, last_event_id } = await user.client.queues.register({
      event_types: ['typing'],
      fetch_event_types: [],
      all_public_streams,
    });
    if (queue_id === null) throw new Error('no queue');
    return new MarkQueue(user, { queue_id, last_event_id });
  }

  /** Polls once: waits for an event or a heartbeat, or returns at once. Returns the marks of the events. */
  async poll(queues: EventQueues, { wait = false } = {}): Promise<string[]> {
    if (this.#isPolling) return [];
    this.#isPolling = true;
    const events = await queues.poll({
      realm: this.#user.user.realm_id,
      user_id: this.#user.user.id,
      queue_id: this.#queue_id,
      last_event_id: this.#last_event_id,
      dont_block: !wait,
      signal: new AbortController().signal,
    });
    this.#isPolling = false;
    this.#last_event_id = events.at(-1)?.id ?? this.#last_event_id;
    const marks = events
      .filter(({ type }) => type === 'typing')
      .map((event) => (event as unknown as { sender: { email: string } }).sender.email);
    this.received.push(...marks);
    return marks;
  }

  /** Polls until nothing is left. Returns all marks that were received. */
  async rest(queues: EventQueues): Promise<readonly string[]> {
    for (let marks = await this.poll(queues); marks.length > 0;) marks = await this.poll(queues);
    return this.received;
  }
}
