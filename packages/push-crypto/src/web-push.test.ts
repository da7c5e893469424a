import { expect, test } from 'vitest';

import { BadEncoding, CannotOpenBox } from './errors.ts';
import {
  decryptWebPush,
  encryptWebPush,
  MAX_WEB_PUSH_BYTES,
  newWebPushSubscription,
  requireWebPushKeys,
} from './web-push.ts';

/** RFC 8291, appendix A. */
const vector = {
  plaintext: 'When I grow up, I want to be a watermelon',
  subscription: {
    p256dh:
      'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    private_key: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
  sender: {
    privateKey: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
    salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  },
  message:
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
};

test('encryptWebPush gives the message of RFC 8291', () => {
  const { plaintext, subscription, sender } = vector;
  const message = encryptWebPush(Buffer.from(plaintext), subscription, sender);
  expect(message.toString('base64url')).toBe(vector.message);
});

test('decryptWebPush opens the message of RFC 8291', () => {
  const message = Buffer.from(vector.message, 'base64url');
  expect(decryptWebPush(message, vector.subscription).toString()).toBe(vector.plaintext);
});

test('a message of MAX_WEB_PUSH_BYTES fills the 4096 bytes of push services', () => {
  const subscription = newWebPushSubscription();
  const plaintext = Buffer.alloc(MAX_WEB_PUSH_BYTES, 'x');
  const message = encryptWebPush(plaintext, subscription);
  expect(message).toHaveLength(4096);
  expect(decryptWebPush(message, subscription)).toEqual(plaintext);
});

test('a changed message, or one for another browser, cannot be opened', () => {
  const subscription = newWebPushSubscription();
  const message = encryptWebPush(Buffer.from('secret'), subscription);
  const changed = Buffer.from(message);
  changed[90] = (changed[90] ?? 0) ^ 1;
  for (const [bytes, keys] of [
    [changed, subscription],
    [message, newWebPushSubscription()],
    [message.subarray(0, 40), subscription],
  ] as const)
    expect(() => decryptWebPush(bytes, keys)).toThrow(CannotOpenBox);
});

test.each([
  ['p256dh', { p256dh: Buffer.alloc(65, 4).toString('base64url') }],
  ['p256dh', { p256dh: 'AAAA' }],
  ['auth', { auth: 'AAAA' }],
])('requireWebPushKeys rejects an unusable %s', (name, change) => {
  const keys = { ...newWebPushSubscription(), ...change };
  expect(() => requireWebPushKeys(keys)).toThrow(BadEncoding);
  expect(() => requireWebPushKeys(keys)).toThrow(name);
});
