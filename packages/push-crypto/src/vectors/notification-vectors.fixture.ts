import sodium from 'libsodium-wrappers';

import { keyPair, sealed } from './fixed-box.fixture.ts';

const accountId = '-9007199254740995';
const common = { realm_url: 'https://chat.example.com', realm_name: 'Harbour', user_id: 8 };
const message = {
  ...common,
  type: 'message',
  message_id: 41,
  sender_id: 9,
  sender_full_name: 'Ada',
  sender_avatar_url: 'https://chat.example.com/avatar/9',
  time: 1_795_238_400,
  content: 'Hörst du die Glocke? 🔔',
};
const direct = { ...message, recipient_type: 'direct' };
const payloads: Readonly<Record<string, object>> = {
  'a direct message': direct,
  'a message to a group': { ...direct, pm_users: '8,9,10' },
  'a message in a channel': {
    ...message,
    recipient_type: 'channel',
    channel_id: 3,
    channel_name: 'deck',
    topic: 'bells',
  },
  'a mention of a user group': {
    ...message,
    recipient_type: 'channel',
    channel_id: 3,
    channel_name: 'deck',
    topic: 'bells',
    mentioned_user_group_id: 5,
    mentioned_user_group_name: 'crew',
  },
  'a removal': { ...common, type: 'remove', message_ids: [41, 42] },
  'a test': { ...common, type: 'test', time: 1_795_238_400 },
};

type Refused = 'malformed' | 'other_account' | 'undecryptable' | 'unknown_payload';
interface NotificationVector {
  readonly name: string;
  /** FCM: the data. APNs: the text of the body, whose number is wider than a double. */
  readonly received: string | Readonly<Record<string, unknown>>;
  readonly payload: object | null;
  /** Why the phone cannot use it; null if it can. */
  readonly refused: Refused | null;
}

/**
 * Notifications in the forms in which providers deliver them, valid and invalid; the same at every
 * call.
 */
export async function notificationVectors() {
  await sodium.ready;
  const phone = keyPair('phone');
  const box = (content: object | string, name: string) =>
    sealed(typeof content === 'string' ? content : JSON.stringify(content), phone.publicKey, name);
  const fcm = (data: string, id = accountId) => ({ push_account_id: id, encrypted_data: data });
  const apns = (data: string, id = accountId) =>
    `{"push_account_id":${id},"encrypted_data":${JSON.stringify(data)},"aps":{"mutable-content":1,"alert":{"title":"New notification"}}}`;
  const test = box(payloads['a test'] ?? {}, 'test');
  const bytes = Buffer.from(test, 'base64');
  const damaged = Buffer.from(bytes);
  damaged[60] = (damaged[60] ?? 0) ^ 1;
  const refusals: readonly (readonly [string, NotificationVector['received'], Refused])[] = [
    ['another account', fcm(test, '-9007199254740994'), 'other_account'],
    ['another account, the same as a double', apns(test, '-9007199254740994'), 'other_account'],
    ['no push_account_id', { encrypted_data: test }, 'malformed'],
    ['a push_account_id in words', fcm(test, 'mine'), 'malformed'],
    ['no encrypted_data', { push_account_id: accountId }, 'malformed'],
    ['a body that is not JSON', '{"push_account_id":', 'malformed'],
    ['a body that is a list', '[]', 'malformed'],
    ['an empty encrypted_data', fcm(''), 'undecryptable'],
    ['encrypted_data that is not base64', fcm('%%%%'), 'undecryptable'],
    ['encrypted_data in the alphabet of URLs', fcm(`${test.slice(0, -4)}-_-_`), 'undecryptable'],
    ['a damaged box', fcm(damaged.toString('base64')), 'undecryptable'],
    ['a box without its last byte', fcm(bytes.subarray(0, -1).toString('base64')), 'undecryptable'],
    [
      'a box for another key',
      fcm(sealed('{}', keyPair('another phone').publicKey, 'o')),
      'undecryptable',
    ],
    ['a box without JSON', fcm(box('hello', 'no JSON')), 'undecryptable'],
    ['an unknown type', fcm(box({ ...common, type: 'news' }, 'news')), 'unknown_payload'],
    [
      'a message without its ID',
      fcm(box({ ...direct, message_id: undefined }, 'no ID')),
      'unknown_payload',
    ],
    [
      'message_ids in text',
      fcm(box({ ...common, type: 'remove', message_ids: '41' }, 'ids')),
      'unknown_payload',
    ],
  ];
  const vectors: NotificationVector[] = [
    ...Object.entries(payloads).flatMap(([name, payload]) => [
      { name: `${name}, by FCM`, received: fcm(box(payload, name)), payload, refused: null },
      { name: `${name}, by APNs`, received: apns(box(payload, name)), payload, refused: null },
    ]),
    {
      name: 'a test with spaces behind the JSON',
      received: fcm(box(JSON.stringify(payloads['a test']).padEnd(256), 'padded')),
      payload: payloads['a test'] ?? {},
      refused: null,
    },
    ...refusals.map(([name, received, refused]) => ({ name, received, payload: null, refused })),
  ];
  return {
    push_account_id: accountId,
    push_public_key: Buffer.from(phone.publicKey).toString('base64'),
    secret_key: Buffer.from(phone.privateKey).toString('base64'),
    vectors,
  };
}
