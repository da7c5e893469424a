import { createClient } from '@bellhop/client';
import { Device, NotificationRefused } from '@bellhop/device';
import { PushRegistration, REGISTRATION_LIFETIME } from '@bellhop/protocol';
import devicePushes from '@bellhop/push-crypto/vectors/device-pushes.json' with { type: 'json' };
import notifications from '@bellhop/push-crypto/vectors/notifications.json' with { type: 'json' };
import registrations from '@bellhop/push-crypto/vectors/registrations.json' with { type: 'json' };
import { expect, test } from 'vitest';

/** The error code that the protocol demands for the content of a box. */
function errorCodeOf(plaintext: string | null): string | null {
  try {
    const { timestamp } = PushRegistration.parse(JSON.parse(plaintext ?? ''));
    return registrations.now - timestamp > REGISTRATION_LIFETIME ? 'REQUEST_EXPIRED' : null;
  } catch {
    return 'BAD_REQUEST';
  }
}

test.each(registrations.vectors)(
  'the schema judges the registration as its vector: $name',
  (vector) => {
    expect(errorCodeOf(vector.plaintext)).toBe(vector.error_code);
  },
);

const { push_account_id, push_public_key: push_key, secret_key } = notifications;

test.each(notifications.vectors)(
  'the phone judges the notification as its vector: $name',
  (vector) => {
    const phone = new Device({
      client: createClient({ url: 'http://127.0.0.1:9' }),
      token: { kind: 'fcm', token: 'some-token' },
      bouncerPublicKey: registrations.bouncer_public_key,
      identity: { push_account_id, key: { push_key, secret_key } },
    });
    const received = vector.received as string | Record<string, unknown>;
    if (vector.refused === null) {
      expect(phone.receive(received)).toEqual(vector.payload);
      return;
    }
    let refused: unknown;
    try {
      phone.receive(received);
    } catch (error) {
      refused = error instanceof NotificationRefused ? error.reason : error;
    }
    expect(refused).toBe(vector.refused);
  },
);

test('the phone decrypts the notification of a device as its vector', () => {
  const { push_key_id, push_key, encrypted_data, plaintext } = devicePushes.notification;
  const phone = new Device({
    client: createClient({ url: 'http://127.0.0.1:9' }),
    token: { kind: 'fcm', token: 'some-token' },
    bouncerPublicKey: registrations.bouncer_public_key,
    identity: { device_id: 1, key: { push_key_id, push_key }, older_keys: [] },
  });
  const received = { push_key_id: String(push_key_id), encrypted_data };
  expect(phone.receive(received)).toEqual(JSON.parse(plaintext));
});
