import { randomBytes } from 'node:crypto';

import { blake2b } from '@noble/hashes/blake2.js';
import nacl from 'tweetnacl';
import { describe, expect, test } from 'vitest';

import * as phone from './phone.ts';
import * as service from './push-crypto.ts';
import { BadEncoding, CannotOpenBox, decodeBase64, encodeBase64 } from './push-crypto.ts';
import { OVERHEAD_BYTES, parsePublicKey, parseSecretKey } from './push-crypto.ts';

const both = { libsodium: service.sealing, tweetnacl: phone.sealing };
const directions = [
  ['libsodium', 'libsodium'],
  ['libsodium', 'tweetnacl'],
  ['tweetnacl', 'libsodium'],
  ['tweetnacl', 'tweetnacl'],
] as const;

describe.each(directions)('sealed with %s, opened with %s', (sealer, opener) => {
  const [from, to] = [both[sealer], both[opener]];

  test('a box returns its plaintext, of any length', () => {
    const keyPair = to.generateKeyPair();
    for (let length = 0; length < 3000; length += 1 + (length >> 2)) {
      const plaintext = new Uint8Array(randomBytes(length));
      const box = from.seal(plaintext, keyPair.publicKey);
      expect(decodeBase64(box)).toHaveLength(length + OVERHEAD_BYTES);
      expect(to.open(box, keyPair)).toEqual(plaintext);
    }
  });

  test('a box with a changed byte cannot be opened', () => {
    const keyPair = from.generateKeyPair();
    const sealed = decodeBase64(
      from.seal(new TextEncoder().encode('meet at six'), keyPair.publicKey),
    );
    for (let at = 0; at < sealed.length; at++) {
      const changed = sealed.slice();
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 7));
      expect(() => to.open(encodeBase64(changed), keyPair)).toThrow(CannotOpenBox);
    }
  });

  test('a truncated or extended box cannot be opened', () => {
    const keyPair = from.generateKeyPair();
    const sealed = decodeBase64(from.seal(Uint8Array.of(7), keyPair.publicKey));
    for (let length = 0; length < sealed.length; length++) {
      expect(() => to.open(encodeBase64(sealed.subarray(0, length)), keyPair)).toThrow(
        CannotOpenBox,
      );
    }
    expect(() => to.open(encodeBase64(Uint8Array.of(...sealed, 0)), keyPair)).toThrow(
      CannotOpenBox,
    );
  });

  test('a box for another key cannot be opened', () => {
    const box = from.seal(Uint8Array.of(1, 2, 3), from.generateKeyPair().publicKey);
    expect(() => to.open(box, to.generateKeyPair())).toThrow(CannotOpenBox);
  });

  test('keyPairOf returns the same public key in both implementations', () => {
    const keyPair = from.generateKeyPair();
    expect(to.keyPairOf(keyPair.secretKey)).toEqual(keyPair);
  });
});

describe.each(Object.entries(both))('%s', (_, sealing) => {
  test('every box and every key pair is new', () => {
    const keyPair = sealing.generateKeyPair();
    const box = () => sealing.seal(Uint8Array.of(1), keyPair.publicKey);
    expect(new Set(Array.from({ length: 20 }, box)).size).toBe(20);
    expect(sealing.generateKeyPair()).not.toEqual(keyPair);
  });

  test('open throws BadEncoding for text that is not base64', () => {
    const box = 'this is not base64';
    expect(() => sealing.open(box, sealing.generateKeyPair())).toThrow(BadEncoding);
  });

  // With a point of small order the shared secret is zero, and everybody could open the box.
  test.each([
    ['zero', Uint8Array.of()],
    ['one', Uint8Array.of(1)],
    [
      'order 8',
      Buffer.from('e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800', 'hex'),
    ],
  ])('seal and open reject the public key %s, a point of small order', (_name, start) => {
    const bytes = new Uint8Array(32);
    bytes.set(start);
    const publicKey = parsePublicKey(encodeBase64(bytes));
    expect(() => sealing.seal(Uint8Array.of(1), publicKey)).toThrow(BadEncoding);
    const keyPair = sealing.generateKeyPair();
    const nonce = blake2b(Uint8Array.of(...bytes, ...decodeBase64(keyPair.publicKey)), {
      dkLen: 24,
    });
    // Sealed with another secret key, and tweetnacl alone would open it.
    const forged = nacl.box(Uint8Array.of(1), nonce, bytes, nacl.randomBytes(32));
    const box = encodeBase64(Uint8Array.of(...bytes, ...forged));
    expect(() => sealing.open(box, keyPair)).toThrow(CannotOpenBox);
  });
});

test.each([31, 33])(
  'a key of %i bytes is rejected, and the message does not have the key',
  (length) => {
    const text = encodeBase64(new Uint8Array(length).fill(7));
    for (const parse of [parsePublicKey, parseSecretKey]) {
      expect(() => parse(text)).toThrow(BadEncoding);
      expect(() => parse(text)).not.toThrow(text);
    }
  },
);

test('createPhoneSealing uses only the given source of randomness', () => {
  const asked: number[] = [];
  const sealing = phone.createPhoneSealing((length) => {
    asked.push(length);
    return new Uint8Array(length).fill(9);
  });
  const { publicKey } = sealing.generateKeyPair();
  expect(sealing.seal(Uint8Array.of(1), publicKey)).toBe(sealing.seal(Uint8Array.of(1), publicKey));
  expect(asked).toEqual([32, 32, 32]);
});
