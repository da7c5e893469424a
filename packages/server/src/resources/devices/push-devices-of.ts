import type { ClientCapabilities, PushDeviceState } from '@bellhop/protocol';
import type { z } from 'zod';

import type { Db } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import { type Presenter, presentAsStored } from '../../engine/stored-event.ts';
import * as queries from '../../model/devices/queries.ts';

type DeviceRow = Omit<Awaited<ReturnType<typeof queries.ofUser>>[number], 'push_account_id'>;

/** The `push_devices` of `/register`: the state of each device, by push_account_id as text. */
export async function pushDevicesOf(
  db: Db,
  user: Pick<User, 'id' | 'realm_id'>,
  capabilities: DeviceCapabilities,
): Promise<Record<string, z.output<typeof PushDeviceState>>> {
  const rows = await queries.ofUser(db, user);
  return Object.fromEntries(
    rows.map(({ push_account_id, ...row }) => [
      String(push_account_id),
      withoutMessage(stateOf(row), capabilities),
    ]),
  );
}

export type DeviceCapabilities = Pick<ClientCapabilities, 'push_device_error_message'>;

/** A state without its `error_message`, unless the client asked for it. */
export function withoutMessage<State extends { readonly error_message?: string | undefined }>(
  { error_message, ...state }: State,
  { push_device_error_message: isAsked }: DeviceCapabilities,
): Omit<State, 'error_message'> & { error_message?: string } {
  return isAsked && error_message !== undefined ? { ...state, error_message } : state;
}

/**
 * A `push_device` or `device` event: `error_message` only for clients that ask for it, since strict decoders of
 * phones refuse keys that the protocol does not have.
 */
export const presentDevice: Presenter = (event, reader) => {
  if (reader.registration.capabilities.push_device_error_message)
    return presentAsStored(event, reader);
  const { error_message: _, ...payload } = event.payload;
  return presentAsStored({ ...event, payload }, reader);
};

function stateOf({
  bouncer_device_id,
  error_code,
  error_message,
}: DeviceRow): z.output<typeof PushDeviceState> {
  if (error_code === null)
    return { status: bouncer_device_id === null ? 'pending' : 'active', error_code };
  return { status: 'failed', error_code, ...(error_message === null ? {} : { error_message }) };
}
