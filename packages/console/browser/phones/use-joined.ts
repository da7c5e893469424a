import { type BouncerTrace, type HopFacts, joinHops, type JoinedTrace } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';

import type { PushRow } from './push-rows.ts';
import { outcomeOf } from './push-rows.ts';
import type { Target } from './selection.ts';
import type { PhoneStore } from './store.ts';
import { strings } from './strings.ts';

interface Passed {
  readonly bouncer: readonly BouncerTrace[];
  readonly requests: HopFacts['requests'];
}
const nothing: Passed = { bouncer: [], requests: [] };
const AGAIN_MS = 1000;

/** The traces of a push at every hop, joined in the page: no service learns the data of another. */
export function useJoined(
  store: PhoneStore,
  target: Target,
  row: PushRow,
): JoinedTrace | undefined {
  const passed = useSignal<Passed>(nothing);
  const { cipher_id, trace, arrivals } = row;
  const isSandbox = store.isSandbox.value === true;
  const version = store.version.value;
  const isOpen = outcomeOf(row).status === 'waiting';
  useEffect(() => {
    if (!isSandbox) return undefined;
    const stopping = new AbortController();
    const load = async () => {
      passed.value = await store.client.traces.list(
        { cipher_ids: [cipher_id] },
        { signal: stopping.signal },
      );
    };
    // After a failure the known traces stay; the next change or second repeats the request.
    const ask = () => void load().catch(() => undefined);
    ask();
    // The bouncer writes its traces in batches, after the phone has the push.
    const soon = setTimeout(ask, AGAIN_MS);
    const timer = isOpen ? setInterval(ask, AGAIN_MS) : undefined;
    return () => {
      stopping.abort();
      clearTimeout(soon);
      clearInterval(timer);
    };
  }, [cipher_id, isSandbox, version, isOpen]);
  const { bouncer, requests } = passed.value;
  return useMemo(() => {
    const [joined] = joinHops({
      phone: target.name,
      server: trace ? [trace] : [],
      bouncer: isSandbox
        ? bouncer.filter((one) => one.cipher_id === cipher_id)
        : strings.bouncerSilent,
      requests: requests.filter((one) => one.cipher_id === cipher_id),
      arrivals: arrivals.map((arrival) => ({ cipher_id, arrival })),
    });
    if (!joined || (isSandbox && target.phone)) return joined;
    const silent = {
      ...joined.silent,
      ...(isSandbox ? {} : { provider: strings.providerSilent }),
      phone: strings.phoneSilent,
    };
    return { ...joined, silent };
  }, [bouncer, requests, trace, arrivals, isSandbox, target.name]);
}
