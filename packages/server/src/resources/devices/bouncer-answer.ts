import type { PushOutcome } from '@bellhop/protocol';

import type { ActiveDevice } from '../../model/devices/active-devices.ts';
import type { EndReason } from './end-devices.ts';

/** What the bouncer answers about the notifications of a request. */
export interface BouncerAnswer {
  readonly outcomes: readonly PushOutcome[];
  readonly delete_device_ids: readonly number[];
  readonly delete_token_ids: readonly string[];
}

/** The outcome of the notification at this place of the request; public bouncers tell none. */
export const outcomeAt = (
  { outcomes }: BouncerAnswer,
  { at, of }: { readonly at: number; readonly of: number },
): PushOutcome | undefined => (outcomes.length === of ? outcomes[at] : undefined);

/** Whether the bouncer has the device no longer, or its provider calls the token invalid. */
export const isDead = (device: ActiveDevice, answer: BouncerAnswer): boolean =>
  device.form === 'token'
    ? answer.delete_token_ids.includes(device.token_id)
    : answer.delete_device_ids.includes(device.bouncer_device_id);

/** Why a device ends with the outcome of a notification to it; undefined if it goes on. */
export function endOf(
  device: ActiveDevice,
  answer: BouncerAnswer,
  outcome: PushOutcome | undefined,
): EndReason | undefined {
  if (!isDead(device, answer)) return outcome?.register_again ? 'refused' : undefined;
  // An outcome without a provider is about a device that the bouncer does not know.
  const isUnknown = outcome?.outcome === 'dead' && outcome.provider === undefined;
  return isUnknown ? 'unknown' : 'gone';
}
