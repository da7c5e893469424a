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
import { registrationVectors } from './registration-vectors.fixture.ts';
import { vectorFiles } from './write-vectors.fixture.ts';

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

const file = readFileSync(new URL('../../vectors/sealed-boxes.json', import.meta.url), 'utf8');
const { vectors }: { vectors: Vector[] } = JSON.parse(file);

test.each(Object.entries(vectorFiles))(
  'vectors/%s equals what is generated',
  async (name, text) => {
    const written = readFileSync(new URL(`../../vectors/${name}`, import.meta.url), 'utf8');
    expect(await text()).toBe(written);
  },
);

const { bouncer_public_key, bouncer_secret_key, ...registrations } = await registrationVectors();

describe.each(registrations.vectors)('registration vector: $name', (vector) => {
  const keys = {
    publicKey: parsePublicKey(bouncer_public_key),
    secretKey: parseSecretKey(bouncer_secret_key),
  };
  const box = vector.encrypted_push_registration;

  test.each([
    ['the service', service],
    ['the phone', phone],
  ])('%s opens the box if it is one', (_who, sealing) => {
    if (vector.plaintext === null) expect(() => sealing.open(box, keys)).toThrow();
    else expect(new TextDecoder().decode(sealing.open(box, keys))).toBe(vector.plaintext);
  });
});

describe.each(vectors)('test vector: $name', (vector) => {
  const keyPair = {
    publicKey: parsePublicKey(vector.recipient_public_key),
    secretKey: parseSecretKey(vector.recipient_secret_key),
  };
  const plaintext = decodeBase64(vector.plaintext);

  test('both implementations open the box', () => {
    expect(service.open(vector.box, keyPair)).toEqual(plaintext);
    expect(phone.open(vector.box, keyPair)).toEqual(plaintext);
  });

  test('both implementations return the key pair of the secret key', () => {
    expect(service.keyPairOf(keyPair.secretKey)).toEqual(keyPair);
    expect(phone.keyPairOf(keyPair.secretKey)).toEqual(keyPair);
  });

  test('the phone seals the same box with the ephemeral key', () => {
    const ephemeral = decodeBase64(vector.ephemeral_secret_key);
    const sealing = createPhoneSealing(() => ephemeral);
    expect(sealing.seal(plaintext, keyPair.publicKey)).toBe(vector.box);
  });

  test('the box is BLAKE2b nonce and secretbox of the shared key', () => {
    const recipient = decodeBase64(vector.recipient_public_key);
    const ephemeral = decodeBase64(vector.ephemeral_public_key);
    const nonce = blake2b.create({ dkLen: 24 }).update(ephemeral).update(recipient).digest();
    expect(encodeBase64(nonce)).toBe(vector.nonce);
    const shared = nacl.box.before(recipient, decodeBase64(vector.ephemeral_secret_key));
    const sealed = nacl.secretbox(plaintext, nonce, shared);
    expect(encodeBase64(Uint8Array.of(...ephemeral, ...sealed))).toBe(vector.box);
  });

  test('the ephemeral key does not open the box', () => {
    const wrong = {
      publicKey: parsePublicKey(vector.ephemeral_public_key),
      secretKey: parseSecretKey(vector.ephemeral_secret_key),
    };
    expect(() => service.open(vector.box, wrong)).toThrow(CannotOpenBox);
    expect(() => phone.open(vector.box, wrong)).toThrow(CannotOpenBox);
  });
});
