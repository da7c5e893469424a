import type { Client } from '@bellhop/client';
import { type ClientDevice, ClientDeviceEvent, PushDeviceEvent } from '@bellhop/protocol';
import { tokenId } from '@bellhop/push-crypto/phone';

import type { AccountIdentity, ClientDeviceIdentity } from './identity.ts';
import type { Registration, Standing } from './register-device.ts';
import { RegistrationRefused } from './registration-refused.ts';

/** A phone as it registers at its chat server. */
export interface Registrant {
  readonly client: Client;
  readonly token: { readonly kind: 'fcm' | 'apns' | 'webpush'; readonly token: string };
  readonly bouncerPublicKey: string;
  /** Makes the box for the bouncer, which is dated. */
  readonly sealRegistration: () => string;
  /** UNIX time in milliseconds. */
  readonly now: () => number;
}

/** Levels 406 to 467: one request with everything. */
export function accountRegistration(
  { client, token, bouncerPublicKey, sealRegistration }: Registrant,
  { push_account_id, key }: AccountIdentity,
): Registration {
  const standingOf = (status: string, code?: RegistrationRefused['code'] | null, why?: string) =>
    status === 'active'
      ? 'active'
      : status === 'failed'
        ? new RegistrationRefused(code ?? 'BAD_REQUEST', why)
        : undefined;
  return {
    eventType: 'push_device',
    inState({ push_devices }) {
      const known = push_devices?.[push_account_id];
      return known && standingOf(known.status, known.error_code, known.error_message);
    },
    afterEvent(received) {
      const event = PushDeviceEvent.safeParse(received).data;
      if (event?.push_account_id !== push_account_id) return undefined;
      return event.status === 'active'
        ? 'active'
        : standingOf(event.status, event.error_code, event.error_message);
    },
    async send() {
      await client.devices.registerPush({
        token_kind: token.kind,
        push_account_id: BigInt(push_account_id),
        push_public_key: key.push_key,
        bouncer_public_key: bouncerPublicKey,
        encrypted_push_registration: sealRegistration(),
      });
      return false;
    },
  };
}

/** A token that was registered so long ago is registered again: providers forget those that seem unused. */
const TOKEN_LIFETIME_SECONDS = 30 * 86_400;

interface Refusable {
  readonly push_registration_error_code?: RegistrationRefused['code'] | null | undefined;
  readonly error_message?: string | undefined;
}

/** Level 468 and later: only the key or the token that the server does not have. */
export function clientDeviceRegistration(
  { client, token, bouncerPublicKey, sealRegistration, now }: Registrant,
  { device_id, key }: ClientDeviceIdentity,
): Registration {
  const { push_key_id, push_key } = key;
  const token_id = tokenId(token.token);
  const isStale = ({ push_token_last_updated_timestamp: time }: ClientDevice) =>
    time === null || now() / 1_000 - time >= TOKEN_LIFETIME_SECONDS;
  const isTokenWanted = (device: ClientDevice) =>
    device.push_registration_error_code !== null ||
    (device.pending_push_token_id ?? device.push_token_id) !== token_id ||
    isStale(device);
  const refusalIn = ({
    push_registration_error_code: code,
    error_message: why,
  }: Refusable): Standing => (code == null ? undefined : new RegistrationRefused(code, why));
  return {
    eventType: 'device',
    inState({ devices }) {
      const device = devices?.[device_id];
      if (!device) return undefined;
      const isActive =
        device.push_key_id === push_key_id &&
        device.pending_push_token_id === null &&
        !isTokenWanted(device);
      return isActive ? 'active' : refusalIn(device);
    },
    afterEvent(received) {
      const event = ClientDeviceEvent.safeParse(received).data;
      if (event?.device_id !== device_id || event.op === 'add') return undefined;
      if (event.op === 'remove') throw new Error(`The server has removed the device ${device_id}`);
      return event.push_token_id === token_id ? 'active' : refusalIn(event);
    },
    async send({ devices }) {
      const device = devices?.[device_id];
      const wantsKey = device?.push_key_id !== push_key_id;
      const wantsToken = device === undefined || isTokenWanted(device);
      if (wantsKey || wantsToken)
        await client.devices.registerPush({
          device_id,
          ...(wantsKey ? { push_key_id, push_key } : {}),
          ...(wantsToken
            ? {
                token_kind: token.kind,
                token_id,
                bouncer_public_key: bouncerPublicKey,
                encrypted_push_registration: sealRegistration(),
              }
            : {}),
        });
      // A key is used at once, and so is the token that the server has already.
      return device?.push_token_id === token_id && device.pending_push_token_id === null;
    },
  };
}
