import { type ClientOf, createClientFor } from '@bellhop/client';
import {
  type BouncerTrace,
  PushTraceEvent,
  type PushTrace,
  sandbox,
  SANDBOX_PREFIX,
  type SandboxContract,
  type SandboxPhone,
} from '@bellhop/protocol';
import type { HopFacts } from '@bellhop/push-trace';
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';

import { ledPoll } from '../live/led-poll.ts';
import type { LiveAccount } from '../live/live-account.ts';
import { rightsOf } from '../organization/rights.ts';
import { consoleFetch } from '../session/console-fetch.ts';

type SandboxClient = ClientOf<SandboxContract>;

/** The phones of an account and the pushes to its devices, kept up to date. */
export interface PhoneStore {
  readonly client: SandboxClient;
  /** Undefined until the server has answered. */
  readonly isSandbox: ReadonlySignal<boolean | undefined>;
  readonly phones: ReadonlySignal<readonly SandboxPhone[]>;
  /** Whether the traces are being fetched for the first time. */
  readonly isLoading: ReadonlySignal<boolean>;
  /** The traces of the pushes at the server, newest first. */
  readonly traces: ReadonlySignal<readonly PushTrace[]>;
  /**
   * Reads the traces of the hops beyond the server: in a sandbox of all, elsewhere of the bouncer
   * for administrators. Undefined for other users.
   */
  readonly readHops: ReadonlySignal<ReadHops | undefined>;
  /** Grows with each change in the sandbox. */
  readonly version: ReadonlySignal<number>;
  /** UNIX milliseconds of the last change. */
  readonly changedAt: ReadonlySignal<number>;
  readonly error: ReadonlySignal<unknown>;
  /** Fetches the phones of a sandbox again; resolves when they are on the page. */
  readonly refresh: () => Promise<void>;
  readonly loadOlder: () => void;
  readonly stop: () => void;
}
type ReadHops = (cipher_id: string, signal: AbortSignal) => Promise<PassedHops>;
/** The results of a push at the hops beyond the server. */
export interface PassedHops {
  readonly bouncer: readonly BouncerTrace[];
  readonly requests: HopFacts['requests'];
}
const PAGE = 100;

export function openPhoneStore(account: LiveAccount): PhoneStore {
  const client = createClientFor(sandbox, {
    url: location.origin,
    prefix: SANDBOX_PREFIX,
    fetch: consoleFetch(account.user_id),
  });
  const isSandbox = signal<boolean | undefined>(undefined);
  const phones = signal<readonly SandboxPhone[]>([]);
  const traces = signal<readonly PushTrace[]>([]);
  const isLoading = signal(true);
  const version = signal(0);
  const readHops = computed<ReadHops | undefined>(() => {
    if (isSandbox.value)
      return (cipher_id, signal) => client.traces.list({ cipher_ids: [cipher_id] }, { signal });
    const state = account.state.peek();
    if (!state || !rightsOf(state, account.user_id).isAdmin) return undefined;
    return async (cipher_id, signal) => {
      const asked = { cipher_ids: [cipher_id] };
      const { traces: bouncer } = await account.client.devices.bouncerTraces(asked, { signal });
      return { bouncer, requests: [] };
    };
  });
  const changedAt = signal(Date.now());
  const error = signal<unknown>(undefined);
  const stopping = new AbortController();
  let older: number | null = null;

  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
      error.value = undefined;
    } catch (problem) {
      if (!stopping.signal.aborted) error.value = problem;
    }
  };
  const refresh = () =>
    attempt(async () => {
      // Only a sandbox has phones.
      if (isSandbox.peek() !== true) return;
      phones.value = (await client.phones.list()).phones;
      version.value++;
      changedAt.value = Date.now();
    });
  const loadTraces = async () => {
    await attempt(async () => {
      const page = await account.client.devices.traces({ limit: PAGE });
      traces.value = page.traces;
      older = page.next_cursor;
    });
    isLoading.value = false;
  };
  const begin = async () => {
    isSandbox.value = (await client.about.get()).is_sandbox;
    if (!isSandbox.value || stopping.signal.aborted) return;
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
    const { trace } = data;
    const others = traces.value.filter(({ trace_id }) => trace_id !== trace.trace_id);
    traces.value = [trace, ...others].toSorted((a, b) => b.trace_id - a.trace_id);
    changedAt.value = Date.now();
  });
  const stopReloads = effect(() => {
    void account.generation.value;
    void loadTraces();
  });
  void attempt(begin);
  return {
    client,
    isSandbox,
    phones,
    isLoading,
    traces,
    readHops,
    version,
    changedAt,
    error,
    refresh,
    loadOlder: () => {
      const cursor = older;
      if (cursor === null) return;
      older = null;
      void attempt(async () => {
        const page = await account.client.devices.traces({ limit: PAGE, cursor });
        traces.value = [...traces.value, ...page.traces];
        older = page.next_cursor;
      });
    },
    stop: () => {
      stopping.abort();
      stopEvents();
      stopReloads();
    },
  };
}
