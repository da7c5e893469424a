import { joinHops, type JoinedTrace } from '@bellhop/push-trace';
import { useEffect, useMemo } from 'preact/hooks';

import { messageOf } from '../controls/message-of.ts';
import { useResource } from '../loading/use-resource.ts';
import type { PushRow } from './push-rows.ts';
import { outcomeOf } from './push-rows.ts';
import type { PassedHops, PhoneStore } from './store.ts';
import type { Target } from './target.ts';

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
  const { cipher_id, trace, arrivals } = row;
  const isSandbox = store.isSandbox.value === true;
  const readHops = store.readHops.value;
  // The provider of another program does not report the outcome of accepted notifications.
  const isOpen =
    outcomeOf(row).status === 'waiting' && (isSandbox || trace?.outcome !== 'accepted');
  // After a failure the known traces stay.
  const { value, error, refresh } = useResource(
    async (signal) => (await readHops?.(cipher_id, signal)) ?? nothing,
    [cipher_id, readHops, store.phones.value, isOpen],
    isOpen ? { everyMs: isSandbox ? AGAIN_MS : AGAIN_ELSEWHERE_MS } : {},
  );
  useEffect(() => {
    // The bouncer writes its traces in batches, after the phone has the push.
    const soon = setTimeout(refresh, AGAIN_MS);
    return () => clearTimeout(soon);
  }, [cipher_id, readHops, store.phones.value, isOpen]);
  const { bouncer, requests } = value ?? nothing;
  // Without the other hops it would seem that they had no part in it.
  const isAsking = value === undefined && error === undefined;
  const failure = error === undefined ? undefined : `no response: ${messageOf(error)}`;
  const known = bouncer.filter((one) => one.cipher_id === cipher_id);
  const silence = readHops
    ? failure
    : 'not permitted: only administrators and the operator of the bouncer can see this';
  return useMemo(() => {
    if (isAsking) return undefined;
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
      ...(isSandbox ? {} : { provider: 'external: real providers do not report this' }),
      phone: 'external: the phone belongs to another app',
    };
    return { ...joined, silent };
  }, [isAsking, bouncer, requests, silence, trace, arrivals, isSandbox, target.name]);
}
