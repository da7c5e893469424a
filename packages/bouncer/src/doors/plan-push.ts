import {
  isUnusable,
  type PushItem,
  type PushAccountId,
  type PushOutcome,
  type PushRequest,
  unknownFieldsOf,
} from '@bellhop/protocol/bouncer';

import type { Device } from '../devices/queries.ts';
import { createPush, type Push } from '../send/create-push.ts';

/** The plan for one item of `push_requests`: a push to send, or an outcome without sending. */
export type PlannedPush =
  | { readonly push: Push; readonly remarks: Remarks }
  | { readonly outcome: PushOutcome };
type Remarks = Pick<PushOutcome, 'token_id' | 'ignored_fields'>;

interface PlanContext {
  /** The living device of the realm that an item names. */
  readonly deviceOf: (item: PushRequest) => Device | undefined;
  /** UNIX milliseconds. */
  readonly now: number;
  readonly trace_id: string;
}

export function planPush(
  id: string,
  item: PushItem,
  { deviceOf, now, trace_id }: PlanContext,
): PlannedPush {
  const token = item.token_id === undefined ? {} : { token_id: item.token_id };
  if (isUnusable(item)) {
    const { device_id, problem: reason } = item;
    return { outcome: { push_id: id, device_id, ...token, outcome: 'refused', reason } };
  }
  const device = deviceOf(item);
  const about = { push_id: id, device_id: device?.device_id ?? item.device_id ?? null };
  const unknown = unknownFieldsOf(item);
  const remarks = { ...token, ...(unknown.length > 0 ? { ignored_fields: unknown } : {}) };
  const dead = (reason: string) => ({
    outcome: { ...about, ...remarks, outcome: 'dead' as const, reason },
  });
  if (!device) return dead('the realm has no such device, or no longer');
  const { push_account_id } = item.payload;
  // Another phone could not decrypt it.
  if (push_account_id !== undefined && !isOfAccount(device, push_account_id))
    return dead('the device with this ID has another push_account_id: register it again');
  const push = createPush({ id, device, request: item, now, trace_id });
  if (push) return { push, remarks };
  const provider = device.token_kind;
  const reason = `the device registered with the bouncer as ${device.token_kind}`;
  return { outcome: { ...about, provider, ...remarks, outcome: 'refused', reason } };
}

const isOfAccount = ({ push_account_id: own }: Device, asked: PushAccountId): boolean =>
  own !== null && BigInt(own) === asked;
