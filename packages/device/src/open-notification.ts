import { parseJson, PushPayload } from '@bellhop/protocol';
import { type DeviceKey, type PayloadCipher } from '@bellhop/push-crypto/phone';
import { z } from 'zod';

import { NotificationRefused } from './notification-refused.ts';

/** APNs has the account number as a JSON number, FCM as text. */
const Envelope = z.looseObject({
  push_account_id: z.union([z.bigint(), z.number(), z.string().regex(/^-?\d{1,19}$/)]),
  encrypted_data: z.string(),
});
type AccountId = z.output<typeof Envelope>['push_account_id'];

export interface Recipient {
  readonly pushAccountId: bigint;
  readonly key: DeviceKey;
  readonly cipher: PayloadCipher;
}

/**
 * Decrypts the JSON body of an APNs notification (as text, which keeps the account number exact, or
 * parsed) or the data of an FCM message. Throws NotificationRefused.
 */
export function openNotification(
  notification: string | Readonly<Record<string, unknown>>,
  { pushAccountId, key, cipher }: Recipient,
): PushPayload {
  const envelope = Envelope.safeParse(parseEnvelope(notification));
  if (!envelope.success)
    throw new NotificationRefused('malformed', 'not an encrypted notification', envelope.error);
  const { push_account_id, encrypted_data } = envelope.data;
  if (!isSameAccount(push_account_id, pushAccountId))
    throw new NotificationRefused('other_account', 'the notification is for another account');
  const payload = PushPayload.safeParse(decryptPayload(cipher, encrypted_data, key));
  if (payload.success) return payload.data;
  throw new NotificationRefused('unknown_payload', 'unknown kind of notification', payload.error);
}

function parseEnvelope(notification: string | Readonly<Record<string, unknown>>): unknown {
  if (typeof notification !== 'string') return notification;
  try {
    return parseJson(notification);
  } catch (error) {
    throw new NotificationRefused('malformed', 'the notification is not JSON', error);
  }
}

/** A body that the caller parsed has the account number as a double, which is not exact. */
const isSameAccount = (claimed: AccountId, own: bigint) =>
  typeof claimed === 'number' ? claimed === Number(own) : BigInt(claimed) === own;

function decryptPayload(cipher: PayloadCipher, data: string, key: DeviceKey): unknown {
  try {
    return cipher.decrypt(data, key);
  } catch (error) {
    throw new NotificationRefused('undecryptable', 'the notification cannot be decrypted', error);
  }
}
