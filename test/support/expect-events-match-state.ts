import { isDeepStrictEqual } from 'node:util';

import { applyEvent, type Client } from '@bellhop/client';
import type { AskOf, InitialState, QueuedEvent, Api, ResultOf } from '@bellhop/protocol';
import type { Person, TestChat } from '@bellhop/server/testing';
import { expect } from 'vitest';

type Registration = AskOf<Api['queues']['register']>;
type Registered = ResultOf<Api['queues']['register']>;

export const allCapabilities = {
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
};

const everything: Registration = {
  apply_markdown: true,
  client_gravatar: false,
  include_subscribers: true,
  client_capabilities: allCapabilities,
};

/** A queue that a client of another kind registers. */
export interface Variant {
  readonly title: string;
  readonly reader: Person;
  readonly registration: Registration;
}

/**
 * Expects that `act` leaves every reader with the right state: the initial state from before, after
 * the events that they received, equals the initial state that they would get now. The same for each
 * variant. Returns the events of each reader.
 */
export async function expectEventsMatchState(
  chat: Pick<TestChat, 'server'>,
  readers: readonly Person[],
  act: () => Promise<unknown>,
  variants: readonly Variant[] = [],
): Promise<QueuedEvent[][]> {
  return new WatchedStates(chat, readers, variants).expectMatchAfter(act);
}

/** The states of readers and variants over a series of changes. */
export class WatchedStates {
  readonly #chat: Pick<TestChat, 'server'>;
  readonly #queues: readonly Variant[];
  readonly #readers: number;
  /** The state of the queues after the last change; undefined if that change has failed. */
  #latest: readonly Registered[] | undefined;

  constructor(
    chat: Pick<TestChat, 'server'>,
    readers: readonly Person[],
    variants: readonly Variant[] = [],
  ) {
    const ofReaders = readers.map((reader) => ({
      title: 'every capability',
      reader,
      registration: everything,
    }));
    const others = variants.map((variant) => ({
      ...variant,
      registration: { ...everything, ...variant.registration },
    }));
    this.#chat = chat;
    this.#readers = readers.length;
    this.#queues = [...ofReaders, ...others];
  }

  /** `expectEventsMatchState` for the next change. Its state before is the state after the last change. */
  async expectMatchAfter(act: () => Promise<unknown>): Promise<QueuedEvent[][]> {
    const before = this.#latest ?? (await this.#register());
    this.#latest = undefined;
    await act();
    const after = await this.#register();
    const events = await Promise.all(
      this.#queues.map(({ reader }, at) => eventsOf(reader.client, registeredAt(before, at))),
    );
    const starts = await this.#starts([...before, ...after]);
    for (const [at, queue] of this.#queues.entries()) {
      const [first, last] = [registeredAt(before, at), registeredAt(after, at)];
      const newest = last.last_event_id + startOf(starts, last) - startOf(starts, first);
      const received = (events[at] ?? []).filter(({ id }) => id <= newest);
      expectEventsLead(queue, { before: first, events: received, after: last });
    }
    this.#latest = after;
    return events.slice(0, this.#readers);
  }

  /** What each queue subtracts from the IDs of the event log (decision 1). */
  async #starts(queues: readonly Registered[]): Promise<Map<string, number>> {
    const ids = queues.map(({ queue_id }) => queue_id ?? '');
    const { kysely } = this.#chat.server.app.db;
    const query = kysely.selectFrom('event_queue').select(['id', 'id_offset']);
    const rows = await query.where('id', 'in', ids).execute();
    return new Map(rows.map(({ id, id_offset }) => [id, id_offset]));
  }

  #register(): Promise<Registered[]> {
    return Promise.all(
      this.#queues.map(({ reader, registration }) => reader.client.queues.register(registration)),
    );
  }
}

function registeredAt(registered: readonly Registered[], at: number): Registered {
  const found = registered[at];
  if (!found) throw new Error(`There is no queue ${at}`);
  return found;
}

function startOf(starts: ReadonlyMap<string, number>, { queue_id }: Registered): number {
  const start = starts.get(queue_id ?? '');
  if (start === undefined) throw new Error(`There is no queue ${queue_id}`);
  return start;
}

interface StateChange {
  readonly before: Registered;
  readonly events: readonly QueuedEvent[];
  readonly after: Registered;
}

function expectEventsLead(
  { title, reader: { user }, registration }: Variant,
  { before, events, after }: StateChange,
): void {
  const include_subscribers = registration.include_subscribers ?? false;
  const owner = { user_id: user.id, include_subscribers };
  const applied = events.reduce((state, event) => applyEvent(state, event, owner), stateOf(before));
  const expected = stateOf(after);
  // The comparison of expect() takes several times as long; it explains a difference.
  if (isDeepStrictEqual(applied, expected)) return;
  expect(applied, `the state of ${user.full_name} with ${title}`).toEqual(expected);
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
  const {
    queue_id: _queue,
    last_event_id: _last,
    server_timestamp: _now,
    // Clients learn it only from the answers to their own pings.
    presence_last_update_id: _newest,
    ...state
  } = registered;
  return state;
}
