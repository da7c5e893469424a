import type { Client } from '@bellhop/client';
import { eventStream, type Registration } from '@bellhop/client/plain';
import type { QueuedEvent, UserId } from '@bellhop/protocol';
import { ApiError } from '@bellhop/protocol/plain';
import { type ReadonlySignal, signal } from '@preact/signals';

import { cameBack } from '../loading/came-back.ts';
import { type Followed, followOrLead } from './follow-or-lead.ts';
import type { LiveStatus } from './live-status.ts';
import { registration } from './registration.ts';

/** An account of the session with the state of its organization, kept up to date by events. */
export interface LiveAccount {
  readonly user_id: UserId;
  readonly client: Client;
  /** Undefined until the first answer of the server. Events leave `queue_id` as it is. */
  readonly state: ReadonlySignal<Registration | undefined>;
  readonly status: ReadonlySignal<LiveStatus>;
  /** UNIX milliseconds of the last event. */
  readonly lastEventAt: ReadonlySignal<number>;
  /**
   * Increases when the state was fetched anew, for example after a long absence: data that a view
   * has fetched beside it may be out of date then.
   */
  readonly generation: ReadonlySignal<number>;
  /** Calls the listener with every event, after the state has changed. Returns how to stop that. */
  readonly onEvent: (listener: (event: QueuedEvent) => void) => () => void;
  /** Changes the state as an event of the server does. */
  readonly apply: (event: QueuedEvent) => void;
  /** Aborts when the account is closed. */
  readonly stopped: AbortSignal;
  readonly stop: () => void;
}

type ApplyEvent = (typeof import('./apply-event.ts'))['applyEvent'];
let applyEvent: ApplyEvent | undefined;

/** Loads what changes a state by events: the contract with its schemas, which the first view can do without. */
export async function loadApplyEvent(): Promise<void> {
  ({ applyEvent } = await import('./apply-event.ts'));
}

/** Opens the account of a client. All tabs of the browser share one event queue per account. */
export function openLiveAccount(client: Client, user_id: UserId): LiveAccount {
  const state = signal<Registration | undefined>(undefined);
  const status = signal<LiveStatus>('connecting');
  const lastEventAt = signal(Date.now());
  const generation = signal(0);
  const listeners = new Set<(event: QueuedEvent) => void>();
  const stopping = new AbortController();

  /** Events before `applyEvent` is there. */
  let early: QueuedEvent[] = [];
  const change = (event: QueuedEvent) => {
    if (!applyEvent) early.push(event);
    else if (state.value) {
      const owner = { user_id, include_subscribers: true };
      state.value = applyEvent(state.value, event, owner) as Registration;
      for (const listener of listeners) listener(event);
    }
  };
  const takeEarly = async () => {
    if (!applyEvent) await loadApplyEvent();
    for (const event of early.splice(0)) change(event);
  };
  const become = (now: LiveStatus) => {
    const wasAway = status.peek() === 'retrying';
    status.value = now;
    if (wasAway && now === 'live') cameBack.value++;
  };
  const take = (item: Followed) => {
    if (item.kind === 'status') {
      become(item.status);
      return;
    }
    lastEventAt.value = Date.now();
    become('live');
    if (item.kind === 'registered') {
      state.value = item.state;
      generation.value++;
      early = [];
    } else change(item.event);
    // The server may have another build by now: a reload brings it.
    if (!applyEvent) takeEarly().catch(() => (status.value = 'ended'));
  };
  followOrLead({
    name: `bellhop-live-${user_id}`,
    signal: stopping.signal,
    take,
    snapshot: () => state.peek(),
    lead: async (publish) => {
      const report = (to: LiveStatus) => publish({ kind: 'status', status: to });
      try {
        const reachable = reachableQueues(client, { status, report });
        const onRetry = () => report('retrying');
        const options = { signal: stopping.signal, onRetry };
        for await (const item of eventStream(reachable, registration, options)) publish(item);
      } catch (error) {
        report('ended');
        if (!(error instanceof ApiError)) throw error;
      }
    },
  });
  const onEvent = (listener: (event: QueuedEvent) => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    user_id,
    client,
    state,
    status,
    lastEventAt,
    generation,
    onEvent,
    apply: (event) => take({ kind: 'event', event }),
    stopped: stopping.signal,
    stop: () => stopping.abort(),
  };
}

interface Reporting {
  readonly status: ReadonlySignal<LiveStatus>;
  readonly report: (status: LiveStatus) => void;
}

/** After a failure the next poll returns at once, so that the page shows soon that the server is back. */
function reachableQueues(
  { queues }: Client,
  { status, report }: Reporting,
): Pick<Client, 'queues'> {
  return {
    queues: {
      ...queues,
      events: async (params = {}, options = {}) => {
        const wasAway = status.peek() === 'retrying';
        const answer = await queues.events({ ...params, dont_block: wasAway }, options);
        if (wasAway) report('live');
        return answer;
      },
    },
  };
}
