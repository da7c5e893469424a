import {
  isUnusable,
  type PushItem,
  type PushOutcome,
  unknownFieldsOf,
} from '@bellhop/protocol/bouncer';

import type { Device } from '../devices/queries.ts';
import { createPush, type Push } from '../send/create-push.ts';

/** The plan for one item of `push_requests`: a push to send, or an outcome without sending. */
export type PlannedPush =
  | { readonly push: Push; readonly remarks: Remarks }
  | { readonly outcome: PushOutcome };
type Remarks = Pick<PushOutcome, 'ignored_fields'>;

interface PlanContext {
  /** The living devices of the realm, by ID. */
  readonly devices: ReadonlyMap<number, Device>;
  /** UNIX milliseconds. */
  readonly now: number;
  readonly trace_id: string;
}

export function planPush(
  id: string,
  item: PushItem,
  { devices, now, trace_id }: PlanContext,
): PlannedPush {
  const about = { push_id: id, device_id: item.device_id };
  if (isUnusable(item)) return { outcome: { ...about, outcome: 'refused', reason: item.problem } };
  const unknown = unknownFieldsOf(item);
  const remarks = unknown.length > 0 ? { ignored_fields: unknown } : {};
  const device = devices.get(item.device_id);
  const dead = (reason: string) => ({
    outcome: { ...about, ...remarks, outcome: 'dead' as const, reason },
  });
  if (!device) return dead('the realm has no such device, or no longer');
  // Another phone could not decrypt it.
  if (BigInt(device.push_account_id) !== BigInt(item.payload.push_account_id))
    return dead('the device with this ID has another push_account_id: register it again');
  const push = createPush({ id, device, request: item, now, trace_id });
  if (push) return { push, remarks };
  const provider = device.token_kind;
  const reason = `the device registered with the bouncer as ${device.token_kind}`;
  return { outcome: { ...about, provider, ...remarks, outcome: 'refused', reason } };
}
