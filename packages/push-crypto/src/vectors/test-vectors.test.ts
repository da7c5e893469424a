import { readFileSync } from 'node:fs';

import { blake2b } from '@noble/hashes/blake2.js';
import nacl from 'tweetnacl';
import { describe, expect, test } from 'vitest';

import { createPhoneSealing, sealing as phone } from '../phone.ts';
import {
  CannotOpenBox,
  decodeBase64,
  encodeBase64,
  parsePublicKey,
  parseSecretKey,
  sealing as service,
} from '../push-crypto.ts';
import { testVectors } from './generate.ts';

interface Vector {
  name: string;
  recipient_public_key: string;
  recipient_secret_key: string;
  ephemeral_public_key: string;
  ephemeral_secret_key: string;
  nonce: string;
  plaintext: string;
  box: string;
}

const file = readFileSync(new URL('../../test-vectors.json', import.meta.url), 'utf8');
const { vectors }: { vectors: Vector[] } = JSON.parse(file);

test('the checked-in vectors are the generated ones, and there are six', async () => {
  expect(await testVectors()).toBe(file);
  expect(vectors).toHaveLength(6);
});

describe.each(vectors)('$name', (vector) => {
  const keyPair = {
    publicKey: parsePublicKey(vector.recipient_public_key),
    secretKey: parseSecretKey(vector.recipient_secret_key),
  };
  const plaintext = decodeBase64(vector.plaintext);

  test('is opened by both implementations', () => {
    expect(service.open(vector.box, keyPair)).toEqual(plaintext);
    expect(phone.open(vector.box, keyPair)).toEqual(plaintext);
  });

  test('has the key pair both implementations find', () => {
    expect(service.keyPairOf(keyPair.secretKey)).toEqual(keyPair);
    expect(phone.keyPairOf(keyPair.secretKey)).toEqual(keyPair);
  });

  test('is what the phone seals with this ephemeral key', () => {
    const ephemeral = decodeBase64(vector.ephemeral_secret_key);
    const sealing = createPhoneSealing(() => ephemeral);
    expect(sealing.seal(plaintext, keyPair.publicKey)).toBe(vector.box);
  });

  test('follows the published construction, step by step', () => {
    const recipient = decodeBase64(vector.recipient_public_key);
    const ephemeral = decodeBase64(vector.ephemeral_public_key);
    const nonce = blake2b.create({ dkLen: 24 }).update(ephemeral).update(recipient).digest();
    expect(encodeBase64(nonce)).toBe(vector.nonce);
    const shared = nacl.box.before(recipient, decodeBase64(vector.ephemeral_secret_key));
    const sealed = nacl.secretbox(plaintext, nonce, shared);
    expect(encodeBase64(Uint8Array.of(...ephemeral, ...sealed))).toBe(vector.box);
  });

  test('cannot be opened with the ephemeral key', () => {
    const wrong = {
      publicKey: parsePublicKey(vector.ephemeral_public_key),
      secretKey: parseSecretKey(vector.ephemeral_secret_key),
    };
    expect(() => service.open(vector.box, wrong)).toThrow(CannotOpenBox);
    expect(() => phone.open(vector.box, wrong)).toThrow(CannotOpenBox);
  });
});
