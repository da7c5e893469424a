import { randomBytes } from 'node:crypto';

import { parsePublicKey, sealing } from '@bellhop/push-crypto';

/** Seals a registration, or any text, for the bouncer. */
export function sealed(content: object | string, bouncerPublicKey: string): string {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return sealing.seal(new TextEncoder().encode(text), parsePublicKey(bouncerPublicKey));
}

/** Bytes that no key opens. New each time: a service may refuse a box that another phone has sent. */
export const garbageBox = (): string => randomBytes(80).toString('base64');

/** A public key whose secret key nobody has in use. */
export const strangersKey = (): string => sealing.generateKeyPair().publicKey;

/** A `push_account_id` that a double cannot hold: odd, with 62 binary digits and a sign. */
export function newAccountId(): bigint {
  const number = randomBytes(8).readBigUInt64LE();
  const magnitude = (number >> 2n) | 1n | (1n << 61n);
  return number & 1n ? -magnitude : magnitude;
}

/** Now, as registrations have it. */
export const seconds = (): number => Math.floor(Date.now() / 1000);

interface Registration {
  readonly token: string;
  readonly token_kind: string;
  readonly app_id: string;
  /** The keys of a browser. */
  readonly subscription?: { readonly p256dh: string; readonly auth: string } | null;
}

/** The plaintext of a registration. */
export const registrationOf = ({ token, token_kind, app_id, subscription }: Registration) => ({
  token,
  token_kind,
  timestamp: seconds(),
  ...(token_kind === 'apns' ? { ios_app_id: app_id } : {}),
  ...(subscription ? { webpush_keys: subscription } : {}),
});

/**
 * Registrations at a chat server that its bouncer must refuse, in either form: what is wrong, the code that the
 * phone must get, and the fields that replace the right ones.
 */
export const refusedRegistrations: readonly (readonly [
  check: string,
  code: string,
  changes: (phone: { readonly installed: Registration }, bouncerKey: string) => object,
])[] = [
  [
    'a key that the bouncer does not have',
    'INVALID_BOUNCER_PUBLIC_KEY',
    () => ({ bouncer_public_key: strangersKey() }),
  ],
  [
    'a box of 25 hours ago',
    'REQUEST_EXPIRED',
    ({ installed }, key) => ({
      encrypted_push_registration: sealed(
        { ...registrationOf(installed), timestamp: seconds() - 90_000 },
        key,
      ),
    }),
  ],
  [
    'a box that cannot be opened',
    'BAD_REQUEST',
    () => ({ encrypted_push_registration: garbageBox() }),
  ],
];

interface MalformedBox {
  readonly box: string;
  /** The token in the box, or that of the phone if there is none to read. */
  readonly token: string;
}

/** Every way in which a box or its content can be wrong; each must be BAD_REQUEST. */
export function malformedBoxes(phone: Registration, key: string): Record<string, MalformedBox> {
  const good = registrationOf(phone);
  const box = sealed(good, key);
  const ios = { ...good, token: 'ab12', token_kind: 'apns', ios_app_id: 'org.example.app' };
  const { timestamp: _timestamp, ...undated } = good;
  const { ios_app_id: _app, ...withoutApp } = ios;
  const bytes = Buffer.from(box, 'base64');
  const damaged = Buffer.from(bytes);
  damaged[40] = (damaged[40] ?? 0) ^ 1;
  const content: Record<string, object | string> = {
    'no JSON': 'token=1',
    'a JSON list': '[]',
    'no token': { ...good, token: undefined },
    'an empty token': { ...good, token: '' },
    'a token of 4097 characters': { ...good, token: 'a'.repeat(4097) },
    'a token that is a number': { ...good, token: 7 },
    'no token_kind': { ...good, token_kind: undefined },
    'an unknown token_kind': { ...good, token_kind: 'pager' },
    'no timestamp': undated,
    'a timestamp in text': { ...good, timestamp: String(good.timestamp) },
    'a timestamp with a fraction': { ...good, timestamp: good.timestamp + 0.5 },
    'apns without ios_app_id': withoutApp,
    'fcm with ios_app_id': { ...good, token_kind: 'fcm', ios_app_id: 'org.example.app' },
    'an ios_app_id with a slash': { ...ios, ios_app_id: 'org/example' },
    'an apns token that is not hexadecimal': { ...ios, token: 'xyz1' },
    'an apns token with half a byte': { ...ios, token: 'abc' },
  };
  const unread: Record<string, string> = {
    'not base64': `${box.slice(0, -4)}!!!!`,
    'the alphabet of URLs': damagedAlphabet(box),
    'an empty text': '',
    'shorter than a box': Buffer.alloc(47).toString('base64'),
    'a damaged box': damaged.toString('base64'),
    'a box for another key': sealed(good, strangersKey()),
  };
  const boxes = [
    ...Object.entries(unread).map(([name, text]) => [name, text, good] as const),
    ...Object.entries(content).map(([name, value]) => [name, sealed(value, key), value] as const),
  ];
  return Object.fromEntries(
    boxes.map(([name, text, value]) => [name, { box: text, token: tokenOf(value) ?? good.token }]),
  );
}

function tokenOf(content: object | string): string | undefined {
  const token = typeof content === 'object' && 'token' in content ? content.token : undefined;
  return typeof token === 'string' ? token : undefined;
}

/** The box in the URL-safe alphabet, with at least one character that standard base64 does not have. */
const damagedAlphabet = (box: string) =>
  `${box.replaceAll('+', '-').replaceAll('/', '_').slice(0, -4)}-_-_`;
