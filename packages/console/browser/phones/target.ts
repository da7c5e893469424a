import { clientDeviceStatus, type SandboxPhone } from '@bellhop/protocol';

import type { LiveAccount } from '../live/live-account.ts';
import type { Selection } from './selection.ts';

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
  /** Its place in the address. */
  readonly to: Selection;
}

export const targetOfPhone = (phone: SandboxPhone): Target => ({
  name: phone.name,
  push_account_id: phone.push_account_id,
  device_id: phone.device_id,
  phone,
  to: { kind: 'phone', name: phone.name },
});

/** A device of another program. */
export const targetOfDevice = (to: Exclude<Selection, { kind: 'phone' }>): Target => ({
  name: `Device ${to.id.slice(-6)}`,
  push_account_id: to.kind === 'device' ? to.id : null,
  device_id: to.kind === 'device' ? null : Number(to.id),
  phone: undefined,
  to,
});

/** The phones of the account, and after them its devices that are no such phone. */
export function targetsOf(
  phones: readonly SandboxPhone[],
  state: LiveAccount['state']['value'],
): Target[] {
  const devices = [
    ...Object.keys(state?.push_devices ?? {}).map((id) => ({ kind: 'device' as const, id })),
    ...Object.keys(state?.devices ?? {}).map((id) => ({ kind: 'client-device' as const, id })),
  ].map(targetOfDevice);
  return [
    ...phones.map(targetOfPhone),
    ...devices.filter((device) => !phones.some((phone) => isSameDevice(phone, device))),
  ];
}
