import {
  type BouncerTrace,
  type ProviderRequest,
  PushTraceEvent,
  type PushTrace,
  type SandboxPhone,
} from '@bellhop/protocol';
import { computed, type ReadonlySignal, signal } from '@preact/signals';

import { ledPoll } from '../live/led-poll.ts';
import type { LiveAccount } from '../live/live-account.ts';
import { pagedFeed } from '../loading/paged-feed.ts';
import { resource } from '../loading/resource.ts';
import { rightsOf } from '../organization/rights.ts';
import { type SandboxClient, sandboxClient } from '../session/sandbox-client.ts';
import { isSandbox, serverKind } from '../session/server-kind.ts';

/** The phones of an account and the pushes to its devices, kept up to date. */
export interface PhoneStore {
  readonly client: SandboxClient;
  /** Undefined until the server has answered. */
  readonly isSandbox: ReadonlySignal<boolean | undefined>;
  /** Another list after each change in the sandbox. */
  readonly phones: ReadonlySignal<readonly SandboxPhone[]>;
  /** Whether traces are being fetched. */
  readonly isLoading: ReadonlySignal<boolean>;
  /** The traces of the pushes at the server, newest first. */
  readonly traces: ReadonlySignal<readonly PushTrace[]>;
  /**
   * Reads the traces of the hops beyond the server: in a sandbox of all, elsewhere of the bouncer
   * for administrators. Undefined for other users.
   */
  readonly readHops: ReadonlySignal<ReadHops | undefined>;
  /** UNIX milliseconds of the last change. */
  readonly changedAt: ReadonlySignal<number>;
  readonly error: ReadonlySignal<unknown>;
  /** Fetches the phones of a sandbox again; resolves when they are on the page. */
  readonly refresh: () => Promise<void>;
  /** Fetches again what could not be fetched. */
  readonly retry: () => void;
  readonly loadOlder: () => void;
  readonly stop: () => void;
}
type ReadHops = (cipher_id: string, signal: AbortSignal) => Promise<PassedHops>;
/** The results of a push at the hops beyond the server. */
export interface PassedHops {
  readonly bouncer: readonly BouncerTrace[];
  readonly requests: readonly ProviderRequest[];
}
const PAGE = 100;
const none: readonly SandboxPhone[] = [];

export function openPhoneStore(account: LiveAccount): PhoneStore {
  const client = sandboxClient(account.user_id);
  const stopping = new AbortController();
  const changedAt = signal(Date.now());
  const phones = resource(async (signal) => {
    const answer = await client.phones.list({}, { signal });
    changedAt.value = Date.now();
    return answer.phones;
  });
  const traces = pagedFeed<PushTrace, number | undefined, PushTrace>({
    fetch: async (cursor, signal) => {
      const wanted = { limit: PAGE, ...(cursor !== undefined && { cursor }) };
      const page = await account.client.devices.traces(wanted, { signal });
      return { rows: page.traces, before: null, after: page.next_cursor };
    },
    apply: (all, trace) =>
      [trace, ...all.filter(({ trace_id }) => trace_id !== trace.trace_id)].toSorted(
        (a, b) => b.trace_id - a.trace_id,
      ),
  });
  const readHops = computed<ReadHops | undefined>(() => {
    if (isSandbox())
      return (cipher_id, signal) => client.traces.list({ cipher_ids: [cipher_id] }, { signal });
    const state = account.state.peek();
    if (!state || !rightsOf(state, account.user_id).isAdmin) return undefined;
    return async (cipher_id, signal) => {
      const asked = { cipher_ids: [cipher_id] };
      const { traces: bouncer } = await account.client.devices.bouncerTraces(asked, { signal });
      return { bouncer, requests: [] };
    };
  });
  /** Only a sandbox has phones. */
  const refresh = async () => {
    if (serverKind.value.peek()?.is_sandbox) await phones.refresh();
  };
  const begin = async () => {
    if (serverKind.value.peek() === undefined) await serverKind.refresh();
    if (!serverKind.value.peek()?.is_sandbox || stopping.signal.aborted) return;
    await refresh();
    ledPoll({
      name: `bellhop-phones-${account.user_id}`,
      signal: stopping.signal,
      wait: async (after, abort) =>
        (await client.phones.changes({ after, wait: 50 }, { signal: abort })).version,
      onChange: () => void refresh(),
    });
  };
  const stopEvents = account.onEvent((event) => {
    const { data } = PushTraceEvent.safeParse(event);
    if (!data) return;
    traces.change(data.trace);
    changedAt.value = Date.now();
  });
  // The signal calls back at once for the first time.
  const stopResync = account.generation.subscribe(() => void traces.open(undefined));
  void begin();
  return {
    client,
    isSandbox: computed(isSandbox),
    phones: computed(() => phones.value.value ?? none),
    isLoading: traces.isLoading,
    traces: traces.rows,
    readHops,
    changedAt,
    error: computed(() => serverKind.error.value ?? phones.error.value ?? traces.error.value),
    refresh,
    retry: () => {
      if (traces.error.peek() !== undefined) traces.retry();
      void (serverKind.value.peek() === undefined ? begin() : refresh());
    },
    loadOlder: () => void traces.loadAfter(),
    stop: () => {
      stopping.abort();
      for (const one of [phones, traces]) one.stop();
      stopEvents();
      stopResync();
    },
  };
}
