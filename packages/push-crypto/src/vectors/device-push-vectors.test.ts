import { describe, expect, test } from 'vitest';

import { cipherId } from '../cipher-id.ts';
import * as phone from '../phone.ts';
import * as service from '../push-crypto.ts';
import { devicePushVectors } from './device-push-vectors.fixture.ts';

const { token_ids, registration, notification, ...bad } = devicePushVectors;
const key = { push_key: notification.push_key, secret_key: notification.push_key };
const refused = expect.objectContaining({
  name: expect.stringMatching(/^(BadEncoding|CannotOpenBox)$/) as string,
}) as Error;

describe.each([
  ['libsodium', service, service.secretbox],
  ['tweetnacl', phone, phone.createPhoneSecretbox()],
])('%s', (_, { secretboxCipher, sealing, ...crypto }, secretbox) => {
  test.each(token_ids)('tokenId of $token is that of its vector', ({ token, token_id }) => {
    expect(crypto.tokenId(token)).toBe(token_id);
    expect(service.encodeBase64(crypto.parseTokenId(token_id))).toBe(token_id);
  });

  test.each(bad.bad_token_ids)('parseTokenId throws BadEncoding for $name', ({ token_id }) => {
    expect(() => crypto.parseTokenId(token_id)).toThrow(service.BadEncoding);
  });

  test('the box of the registration contains its plaintext', () => {
    const keys = {
      publicKey: service.parsePublicKey(registration.bouncer_public_key),
      secretKey: service.parseSecretKey(registration.bouncer_secret_key),
    };
    const opened = sealing.open(registration.encrypted_push_registration, keys);
    expect(new TextDecoder().decode(opened)).toBe(registration.plaintext);
  });

  test('the notification is encrypted to the ciphertext of its vector, and decrypted', () => {
    const nonce = service.decodeBase64(notification.nonce);
    const cipher = service.secretboxPayloads({ ...secretbox, randomBytes: () => nonce });
    const payload: object = JSON.parse(notification.plaintext) as object;
    expect(cipher.encrypt(payload, notification.push_key)).toBe(notification.encrypted_data);
    expect(secretboxCipher.decrypt(notification.encrypted_data, key)).toEqual(payload);
  });

  test('two encryptions of a notification differ', () => {
    const encrypt = () => secretboxCipher.encrypt({ type: 'test' }, notification.push_key);
    expect(encrypt()).not.toBe(encrypt());
    expect(secretboxCipher.decrypt(encrypt(), key)).toEqual({ type: 'test' });
  });

  test.each(bad.bad_push_keys)('a push key is refused: $name', ({ push_key }) => {
    expect(() => secretboxCipher.requireKey(push_key)).toThrow(service.BadEncoding);
    expect(() => secretboxCipher.encrypt({}, push_key)).toThrow(service.BadEncoding);
    const wrong = { push_key, secret_key: push_key };
    expect(() => secretboxCipher.decrypt(notification.encrypted_data, wrong)).toThrow(
      service.BadEncoding,
    );
  });

  test.each(bad.bad_encrypted_data)('a notification is refused: $name', ({ encrypted_data }) => {
    expect(() => secretboxCipher.decrypt(encrypted_data, key)).toThrow(refused);
  });

  test('a notification is refused: for another key, or without JSON', () => {
    const other = secretboxCipher.createKey();
    expect(() => secretboxCipher.decrypt(notification.encrypted_data, other)).toThrow(
      service.CannotOpenBox,
    );
    const nonce = new Uint8Array(24);
    const sealed = secretbox.seal(Uint8Array.of(0xff), nonce, new Uint8Array(32));
    const box = service.encodeBase64(Uint8Array.of(...nonce, ...sealed));
    const zeros = service.encodeBase64(Uint8Array.of(0x31, ...new Uint8Array(32)));
    expect(() => secretboxCipher.decrypt(box, { push_key: zeros, secret_key: zeros })).toThrow(
      service.BadEncoding,
    );
  });

  test('a refused push key is not in the message', () => {
    for (const { push_key } of bad.bad_push_keys.filter(({ push_key }) => push_key !== ''))
      expect(() => secretboxCipher.requireKey(push_key)).not.toThrow(push_key);
  });
});

test('the phone seals the registration of the vector with its ephemeral key', () => {
  const ephemeral = service.decodeBase64(registration.ephemeral_secret_key);
  const sealing = phone.createPhoneSealing(() => ephemeral);
  const publicKey = service.parsePublicKey(registration.bouncer_public_key);
  expect(sealing.seal(new TextEncoder().encode(registration.plaintext), publicKey)).toBe(
    registration.encrypted_push_registration,
  );
});

test('each implementation decrypts with the key and the ciphertext of the other', () => {
  const pairs = [
    [service.secretboxCipher, phone.secretboxCipher],
    [phone.secretboxCipher, service.secretboxCipher],
  ] as const;
  for (const [one, other] of pairs) {
    const made = one.createKey();
    expect(made.secret_key).toBe(made.push_key);
    const encrypted = other.encrypt({ text: 'ö'.repeat(500) }, made.push_key, { sizes: [2_048] });
    expect(service.decodeBase64(encrypted)).toHaveLength(2_048 + service.SECRETBOX_OVERHEAD_BYTES);
    expect(one.decrypt(encrypted, made)).toEqual({ text: 'ö'.repeat(500) });
  }
});

test('cipherId of the notification is that of its vector', () => {
  expect(cipherId(notification.encrypted_data)).toBe(notification.cipher_id);
});
