import { describe, expect, test } from 'vitest';

import * as phone from './phone.ts';
import * as service from './push-crypto.ts';
import { BadEncoding, CannotOpenBox, openJson, parsePublicKey, sealJson } from './push-crypto.ts';

const { payloadCipher: server } = service;
const payload = { type: 'test', user_id: 8, realm_name: 'Höfn 🔔', time: 1_795_238_400 };

describe('payloadCipher', () => {
  test('a notification encrypted by the server is decrypted by the phone of the key', () => {
    const key = phone.payloadCipher.createKey();
    expect(() => server.requireKey(key.push_key)).not.toThrow();
    const encrypted = server.encrypt(payload, key.push_key);
    const readable = Buffer.from(encrypted, 'base64').toString('latin1');
    expect(readable).not.toContain('"type":"test"');
    expect(phone.payloadCipher.decrypt(encrypted, key)).toEqual(payload);
  });

  test('padded notifications of different lengths have the same size, and are decrypted as before', () => {
    const key = phone.payloadCipher.createKey();
    const padded = (realm_name: string) =>
      server.encrypt({ ...payload, realm_name }, key.push_key, { sizes: [256, 512] });
    expect(padded('x')).toHaveLength(padded('x'.repeat(100)).length);
    expect(padded('x')).not.toHaveLength(padded('x'.repeat(300)).length);
    expect(phone.payloadCipher.decrypt(padded('x'), key)).toEqual({ ...payload, realm_name: 'x' });
    const longest = server.encrypt({ ...payload, realm_name: 'x'.repeat(600) }, key.push_key);
    expect(padded('x'.repeat(600))).toHaveLength(longest.length);
  });

  test('another phone cannot decrypt a notification', () => {
    const encrypted = server.encrypt(payload, phone.payloadCipher.createKey().push_key);
    const other = phone.payloadCipher.createKey();
    expect(() => phone.payloadCipher.decrypt(encrypted, other)).toThrow(CannotOpenBox);
  });

  test('encrypt and requireKey throw BadEncoding for a key of another form', () => {
    const symmetric = service.encodeBase64(Uint8Array.of(0x31, ...new Uint8Array(32)));
    expect(() => server.encrypt(payload, symmetric)).toThrow(BadEncoding);
    expect(() => server.requireKey(symmetric)).toThrow(BadEncoding);
    expect(() => server.requireKey('push-public-key')).toThrow(BadEncoding);
  });
});

describe('sealed JSON', () => {
  test('sealJson writes compact UTF-8', () => {
    const keyPair = service.sealing.generateKeyPair();
    const opened = service.sealing.open(
      sealJson(phone.sealing, payload, keyPair.publicKey),
      keyPair,
    );
    expect(new TextDecoder().decode(opened)).toBe(JSON.stringify(payload));
  });

  test.each([
    ['no JSON', new TextEncoder().encode('{"token":')],
    ['no bytes', new Uint8Array()],
    ['bytes that are not UTF-8', Uint8Array.of(0x22, 0xff, 0x22)],
  ])('openJson throws BadEncoding if the box contains %s', (_, bytes) => {
    const keyPair = service.sealing.generateKeyPair();
    const box = service.sealing.seal(bytes, parsePublicKey(keyPair.publicKey));
    expect(() => openJson(service.sealing, box, keyPair)).toThrow(BadEncoding);
    expect(() => openJson(phone.sealing, box, keyPair)).toThrow(BadEncoding);
  });
});
