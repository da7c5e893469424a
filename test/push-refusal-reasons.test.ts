import { sealing, sealJson } from '@bellhop/push-crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { type Phone, type PushStack, startPushStack, watchDevices } from './support/push-stack.ts';

let stack: PushStack;
beforeAll(async () => {
  stack = await startPushStack();
});
afterAll(() => stack[Symbol.asyncDispose]());

type Changes = Partial<ReturnType<Phone['registration']>>;
interface BrokenRegistration {
  readonly name: string;
  readonly kind: 'apns' | 'fcm';
  readonly change: (phone: Phone) => Changes;
  readonly error_code?: string;
  readonly says: RegExp;
}
const box = (encrypted_push_registration: string): Changes => ({ encrypted_push_registration });
const now = () => Math.floor(Date.now() / 1_000);
const stranger = sealing.generateKeyPair();

const broken: readonly BrokenRegistration[] = [
  {
    name: 'for a key that the bouncer does not have',
    kind: 'fcm',
    change: () => ({ bouncer_public_key: stranger.publicKey }),
    error_code: 'INVALID_BOUNCER_PUBLIC_KEY',
    says: /key of the bouncer .* is not among its keys: update the app/,
  },
  {
    name: 'of 26 hours ago',
    kind: 'fcm',
    change: (phone) => box(phone.sealed({ timestamp: now() - 26 * 3_600 })),
    error_code: 'REQUEST_EXPIRED',
    says: /26 hours old.*make a new one.*clock/,
  },
  {
    name: 'dated 30 hours ahead',
    kind: 'fcm',
    change: (phone) => box(phone.sealed({ timestamp: now() + 30 * 3_600 + 60 })),
    says: /timestamp: 30 hours in the future: set the clock/,
  },
  {
    name: 'that is not base64',
    kind: 'fcm',
    change: () => box('bm90IHNlYWxlZA'),
    says: /base64.*multiple of 4/,
  },
  {
    name: 'sealed for another key',
    kind: 'fcm',
    change: ({ token }) =>
      box(sealJson(sealing, { token, token_kind: 'fcm', timestamp: now() }, stranger.publicKey)),
    says: /damaged, or it was made for another key.*bouncer_public_key/,
  },
  {
    name: 'that holds no JSON',
    kind: 'fcm',
    change: () => box(sealing.seal(new TextEncoder().encode('token=1'), stack.bouncerPublicKey)),
    says: /does not contain UTF-8 JSON/,
  },
  {
    name: 'without a token',
    kind: 'fcm',
    change: (phone) => box(phone.sealed({ token: undefined })),
    says: /: token is missing$/,
  },
  {
    name: 'with a timestamp in text',
    kind: 'fcm',
    change: (phone) => box(phone.sealed({ timestamp: String(now()) })),
    says: /: timestamp: .*expected number, received string/,
  },
  {
    name: 'with an unknown token_kind',
    kind: 'fcm',
    change: (phone) => box(phone.sealed({ token_kind: 'pager' })),
    says: /: token_kind: .*"fcm".*"apns"/,
  },
  {
    name: 'of another token_kind than the phone told the server',
    kind: 'fcm',
    change: () => ({ token_kind: 'apns' }),
    says: /token_kind is fcm, not apns/,
  },
  {
    name: 'of an iPhone without ios_app_id',
    kind: 'apns',
    change: (phone) => box(phone.sealed({ ios_app_id: undefined })),
    says: /: ios_app_id: required for apns/,
  },
  {
    name: 'of an iPhone with a token that is not hexadecimal',
    kind: 'apns',
    change: (phone) => box(phone.sealed({ token: `secret-${phone.token}` })),
    says: /: token: must be hexadecimal for apns/,
  },
];

test.each(broken)(
  'a registration $name fails with a message that says what is wrong, without the token',
  async ({ kind, change, error_code = 'BAD_REQUEST', says }) => {
    const { hamlet } = stack.chat.people;
    const devices = await watchDevices(hamlet);
    const phone = stack.newPhone(kind);
    await hamlet.client.devices.registerPush({ ...phone.registration(), ...change(phone) });
    const event = await devices.next();
    const failed = { error_code, error_message: expect.stringMatching(says) };
    expect(event).toMatchObject({ status: 'failed', ...failed });
    expect(JSON.stringify(event)).not.toContain(phone.token);
    expect(await stateOf(phone)).toEqual({ status: 'failed', ...failed });
  },
);

async function stateOf({ push_account_id }: Phone) {
  const { client } = stack.chat.people.hamlet;
  const types = ['push_device'];
  const state = await client.queues.register({
    event_types: types,
    fetch_event_types: types,
    client_capabilities: { push_device_error_message: true },
  });
  return state.push_devices?.[String(push_account_id)];
}
