import { parseJson, PushPayload } from '@bellhop/protocol';
import { payloadCipher, secretboxCipher } from '@bellhop/push-crypto/phone';
import { z } from 'zod';

import {
  type AccountIdentity,
  type ClientDeviceIdentity,
  type DeviceIdentity,
  sharedKeyOf,
} from './identity.ts';
import { NotificationRefused } from './notification-refused.ts';

/** APNs has the numbers as JSON numbers, FCM as text. */
const AccountEnvelope = z.looseObject({
  push_account_id: z.union([z.bigint(), z.number(), z.string().regex(/^-?\d{1,19}$/)]),
  encrypted_data: z.string(),
});
const DeviceEnvelope = z.looseObject({
  push_key_id: z.union([z.number(), z.string().regex(/^\d{1,10}$/)]),
  encrypted_data: z.string(),
});
type AccountId = z.output<typeof AccountEnvelope>['push_account_id'];

/**
 * Decrypts the JSON body of an APNs notification (as text, which keeps 64-bit numbers exact, or parsed)
 * or the data of an FCM message. Throws NotificationRefused.
 */
export function openNotification(
  notification: string | Readonly<Record<string, unknown>>,
  identity: DeviceIdentity,
): PushPayload {
  const envelope = parseEnvelope(notification);
  const plaintext =
    'device_id' in identity ? openAsDevice(envelope, identity) : openAsAccount(envelope, identity);
  const payload = PushPayload.safeParse(plaintext);
  if (payload.success) return payload.data;
  throw new NotificationRefused('unknown_payload', 'unknown kind of notification', payload.error);
}

function openAsAccount(envelope: unknown, { push_account_id: own, key }: AccountIdentity): unknown {
  const { push_account_id, encrypted_data } = requireEnvelope(AccountEnvelope, envelope);
  if (!isSameAccount(push_account_id, BigInt(own)))
    throw new NotificationRefused('other_account', 'the notification is for another account');
  return decrypted(() => payloadCipher.decrypt(encrypted_data, key));
}

function openAsDevice(envelope: unknown, identity: ClientDeviceIdentity): unknown {
  const { push_key_id, encrypted_data } = requireEnvelope(DeviceEnvelope, envelope);
  const named = sharedKeyOf(identity, Number(push_key_id));
  if (!named)
    throw new NotificationRefused(
      'other_account',
      `the notification is for the key ${push_key_id}, which the phone does not have`,
    );
  const { push_key } = named;
  return decrypted(() =>
    secretboxCipher.decrypt(encrypted_data, { push_key, secret_key: push_key }),
  );
}

function parseEnvelope(notification: string | Readonly<Record<string, unknown>>): unknown {
  if (typeof notification !== 'string') return notification;
  try {
    return parseJson(notification);
  } catch (error) {
    throw new NotificationRefused('malformed', 'the notification is not JSON', error);
  }
}

function requireEnvelope<T>(schema: z.ZodType<T>, envelope: unknown): T {
  const { success, data, error } = schema.safeParse(envelope);
  if (success) return data;
  throw new NotificationRefused('malformed', 'not an encrypted notification', error);
}

/** A body that the caller parsed has the account number as a double, which is not exact. */
const isSameAccount = (claimed: AccountId, own: bigint) =>
  typeof claimed === 'number' ? claimed === Number(own) : BigInt(claimed) === own;

function decrypted(decrypt: () => unknown): unknown {
  try {
    return decrypt();
  } catch (error) {
    throw new NotificationRefused('undecryptable', 'the notification cannot be decrypted', error);
  }
}
