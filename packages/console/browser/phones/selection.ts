import { clientDeviceStatus, type SandboxPhone } from '@bellhop/protocol';
import { computed } from '@preact/signals';

import type { LiveAccount } from '../live/live-account.ts';
import { href, path, query } from '../navigation/location.ts';

/**
 * The object in the address of the part: a simulated phone, or a device of another program, by its
 * push_account_id or, of level 468 and later, by its device_id.
 */
export type Selection =
  | { readonly kind: 'phone'; readonly name: string }
  | { readonly kind: 'device' | 'client-device'; readonly id: string };

export const selection = computed((): Selection | undefined => {
  const [, kind, name = ''] = path.value;
  if (kind === 'phone') return { kind, name };
  return kind === 'device' || kind === 'client-device' ? { kind, id: name } : undefined;
});
/** The push that the inspector shows. */
export const shownPush = computed(() => query.value['push']);

export const hrefOf = (to: Selection, push?: string): string =>
  href(['phones', to.kind, to.kind === 'phone' ? to.name : to.id], push ? { push } : {});

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
