import {
  isUnusable,
  type PushItem,
  type PushOutcome,
  type PushStage,
} from '@bellhop/protocol/bouncer';

import type { RemoteRealm } from '../servers/queries.ts';
import { type SentPush, traceEntry, type TraceEntry } from './trace-entry.ts';

interface TracedRequest {
  readonly realm: Pick<RemoteRealm, 'realm_uuid' | 'server_uuid'>;
  readonly stage: PushStage['stage'];
  readonly items: readonly PushItem[];
  /** One outcome for each item. */
  readonly outcomes: readonly PushOutcome[];
  /** One for each item; undefined for an item that was not sent. */
  readonly pushes?: readonly (SentPush | undefined)[];
  /** UNIX milliseconds. */
  readonly began: number;
  readonly ended: number;
}

/** The traces of the items of a request, except those that have no ciphertext. */
export function requestEntries(request: TracedRequest): TraceEntry[] {
  const { realm, items, outcomes, pushes = [], stage, began, ended } = request;
  const { realm_uuid, server_uuid } = realm;
  return items.flatMap((item, at) => {
    const outcome = outcomes[at];
    if (isUnusable(item) || !outcome) return [];
    const times = { stage, began, ended };
    const push = pushes[at];
    return [traceEntry({ realm_uuid, server_uuid, ...times, request: item, outcome, push })];
  });
}
