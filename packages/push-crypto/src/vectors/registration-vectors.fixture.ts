import sodium from 'libsodium-wrappers';

import { keyPair, sealed } from './fixed-box.fixture.ts';

const now = 1_795_238_400;
const day = 86_400;
const android = { token: 'fcm-token:APA91b', token_kind: 'fcm', timestamp: now };
const iphone = {
  token: '0f5e'.repeat(16),
  token_kind: 'apns',
  timestamp: now,
  ios_app_id: 'org.example.chat',
};
const without = (registration: object, field: string) =>
  Object.fromEntries(Object.entries(registration).filter(([name]) => name !== field));

type Content = object | string;
const good: Readonly<Record<string, Content>> = {
  'an Android phone': android,
  'an iPhone': iphone,
  'ios_app_id null for fcm': { ...android, ios_app_id: null },
  'a token of 4096 characters': { ...android, token: 'a'.repeat(4096) },
  'an apns token in capitals': { ...iphone, token: 'AB12' },
  'a registration of 24 hours ago': { ...android, timestamp: now - day },
  'a field of a later version': { ...android, later: true },
  'spaces around the JSON': ` ${JSON.stringify(android)}  `,
};
const malformed: Readonly<Record<string, Content>> = {
  'no JSON': 'token=1',
  'JSON that ends too early': '{"token":"a"',
  'a JSON list': '[]',
  'a JSON null': 'null',
  'no token': without(android, 'token'),
  'an empty token': { ...android, token: '' },
  'a token of 4097 characters': { ...android, token: 'a'.repeat(4097) },
  'a token that is a number': { ...android, token: 7 },
  'a token that is null': { ...android, token: null },
  'no token_kind': without(android, 'token_kind'),
  'an unknown token_kind': { ...android, token_kind: 'pager' },
  'a token_kind in capitals': { ...android, token_kind: 'FCM' },
  'no timestamp': without(android, 'timestamp'),
  'a timestamp in text': { ...android, timestamp: String(now) },
  'a timestamp with a fraction': { ...android, timestamp: now + 0.5 },
  'a timestamp that is null': { ...android, timestamp: null },
  'apns without ios_app_id': without(iphone, 'ios_app_id'),
  'apns with ios_app_id null': { ...iphone, ios_app_id: null },
  'apns with an empty ios_app_id': { ...iphone, ios_app_id: '' },
  'an ios_app_id with a slash': { ...iphone, ios_app_id: 'org/example' },
  'an ios_app_id with a space': { ...iphone, ios_app_id: 'org.example ' },
  'fcm with ios_app_id': { ...android, ios_app_id: 'org.example.chat' },
  'an apns token that is not hexadecimal': { ...iphone, token: 'xyz1' },
  'an apns token with half a byte': { ...iphone, token: 'abc' },
  'an apns token with a space': { ...iphone, token: 'ab 12' },
};

interface RegistrationVector {
  readonly name: string;
  readonly encrypted_push_registration: string;
  /** The plaintext of the box; null if it cannot be opened. */
  readonly plaintext: string | null;
  /** Null if the registration is good at the time `now`. */
  readonly error_code: 'BAD_REQUEST' | 'REQUEST_EXPIRED' | null;
}

/** Boxes of registrations, good ones and every malformed case; the same at every call. */
export async function registrationVectors() {
  await sodium.ready;
  const bouncer = keyPair('bouncer');
  const box = (name: string, content: Content, error_code: RegistrationVector['error_code']) => {
    const plaintext = typeof content === 'string' ? content : JSON.stringify(content);
    const encrypted = sealed(plaintext, bouncer.publicKey, name);
    return { name, encrypted_push_registration: encrypted, plaintext, error_code };
  };
  const some = box('an Android phone', android, null).encrypted_push_registration;
  const bytes = Buffer.from(some, 'base64');
  const json = JSON.stringify(android);
  /** Makes a box of 3n + 1 bytes, whose base64 ends with `==`. */
  const unpadded = json.padEnd(json.length + ((4 - (json.length % 3)) % 3));
  const damagedAt = (at: number) => {
    const damaged = Buffer.from(bytes);
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    return damaged.toString('base64');
  };
  const unopenable: Readonly<Record<string, string>> = {
    'an empty text': '',
    'not base64': `${some.slice(0, -4)}!!!!`,
    'base64 with a line break': `${some.slice(0, 20)}\n${some.slice(20)}`,
    'the alphabet of URLs': `${some.slice(0, -4)}-_-_`,
    'base64 without padding': sealed(unpadded, bouncer.publicKey, 'padding').replace(/=+$/, ''),
    'shorter than a box': Buffer.alloc(47, 1).toString('base64'),
    'a damaged ephemeral key': damagedAt(3),
    'a damaged tag': damagedAt(34),
    'a damaged ciphertext': damagedAt(50),
    'a box without its last byte': bytes.subarray(0, -1).toString('base64'),
    'an ephemeral key of zeros': Buffer.concat([Buffer.alloc(32), bytes.subarray(32)]).toString(
      'base64',
    ),
    'a box for another key': sealed(
      JSON.stringify(android),
      keyPair('another bouncer').publicKey,
      'other',
    ),
  };
  const vectors: RegistrationVector[] = [
    ...Object.entries(good).map(([name, content]) => box(name, content, null)),
    box(
      'a registration of 24 hours and a second ago',
      { ...android, timestamp: now - day - 1 },
      'REQUEST_EXPIRED',
    ),
    ...Object.entries(malformed).map(([name, content]) => box(name, content, 'BAD_REQUEST')),
    ...Object.entries(unopenable).map(([name, encrypted_push_registration]) => ({
      name,
      encrypted_push_registration,
      plaintext: null,
      error_code: 'BAD_REQUEST' as const,
    })),
  ];
  return {
    now,
    bouncer_public_key: Buffer.from(bouncer.publicKey).toString('base64'),
    bouncer_secret_key: Buffer.from(bouncer.privateKey).toString('base64'),
    vectors,
  };
}
