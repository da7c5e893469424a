import { clientDeviceStatus, type SandboxPhone } from '@bellhop/protocol';

import type { LiveAccount } from '../live/live-account.ts';

/** The numbers by which the server names a device, which has one of them. */
export interface DeviceNumbers {
  readonly push_account_id: string | null;
  readonly device_id: number | null;
}

export const isSameDevice = (one: DeviceNumbers, other: DeviceNumbers): boolean =>
  one.push_account_id === other.push_account_id && one.device_id === other.device_id;

/** What the server says of the registration of a device; undefined if it has none. */
export function registrationOf(
  state: LiveAccount['state']['value'],
  { push_account_id, device_id }: DeviceNumbers,
) {
  if (push_account_id !== null) return state?.push_devices?.[push_account_id];
  const device = device_id === null ? undefined : state?.devices?.[device_id];
  return device && clientDeviceStatus(device);
}

/** A phone, or a device that only its number names. */
export interface Target extends DeviceNumbers {
  readonly name: string;
  readonly phone: SandboxPhone | undefined;
}
