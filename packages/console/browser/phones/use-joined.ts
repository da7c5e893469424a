import { joinHops, type JoinedTrace } from '@bellhop/push-trace';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';

import { messageOf } from '../controls/error-notice.tsx';
import type { PushRow } from './push-rows.ts';
import { outcomeOf } from './push-rows.ts';
import type { Target } from './selection.ts';
import type { PassedHops, PhoneStore } from './store.ts';
import { strings } from './strings.ts';

const nothing: PassedHops = { bouncer: [], requests: [] };
const AGAIN_MS = 1000;
/** A bouncer elsewhere is asked less often. */
const AGAIN_ELSEWHERE_MS = 5000;

/** The traces of a push at every hop, joined in the page: no service learns the data of another. */
export function useJoined(
  store: PhoneStore,
  target: Target,
  row: PushRow,
): JoinedTrace | undefined {
  const passed = useSignal(nothing);
  const failure = useSignal<string | undefined>(undefined);
  const { cipher_id, trace, arrivals } = row;
  const isSandbox = store.isSandbox.value === true;
  const version = store.version.value;
  const readHops = store.readHops.value;
  // The provider of another program does not report the outcome of accepted notifications.
  const isOpen =
    outcomeOf(row).status === 'waiting' && (isSandbox || trace?.outcome !== 'accepted');
  useEffect(() => {
    if (!readHops) return undefined;
    const stopping = new AbortController();
    // After a failure the known traces stay; the next change or second repeats the request.
    const ask = () =>
      void readHops(cipher_id, stopping.signal).then(
        (known) => {
          passed.value = known;
          failure.value = undefined;
        },
        (problem: unknown) => {
          if (!stopping.signal.aborted) failure.value = strings.bouncerFailed(messageOf(problem));
        },
      );
    ask();
    // The bouncer writes its traces in batches, after the phone has the push.
    const soon = setTimeout(ask, AGAIN_MS);
    const again = isSandbox ? AGAIN_MS : AGAIN_ELSEWHERE_MS;
    const timer = isOpen ? setInterval(ask, again) : undefined;
    return () => {
      stopping.abort();
      clearTimeout(soon);
      clearInterval(timer);
    };
  }, [cipher_id, readHops, version, isOpen]);
  const { bouncer, requests } = passed.value;
  const known = bouncer.filter((one) => one.cipher_id === cipher_id);
  const silence = readHops ? failure.value : strings.bouncerSilent;
  return useMemo(() => {
    const [joined] = joinHops({
      phone: target.name,
      server: trace ? [trace] : [],
      bouncer: known.length === 0 && silence !== undefined ? silence : known,
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
  }, [bouncer, requests, silence, trace, arrivals, isSandbox, target.name]);
}
