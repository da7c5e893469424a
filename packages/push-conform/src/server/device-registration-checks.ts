import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

import { tokenId } from '@bellhop/push-crypto';

import { garbageBox, refusedRegistrations } from '../boxes.ts';
import { CannotCheck, type Check, type CheckGroup, Deviation } from '../check.ts';
import { requireError, requireSuccess, shown } from '../send.ts';
import type { TokenKind } from '../simulator-control.ts';
import { TEST_PATH } from './app-on-phone.ts';
import {
  activeDevice,
  addDevice,
  type DevicePhone,
  type DeviceState,
  EMPTY_DEVICE,
  newDevice,
  newSharedKey,
} from './device-phone.ts';
import type { ServerTarget } from './server-target.ts';

const NOBODY = 2_000_000_000;
/** After this time a server has done what it does about a registration that another one has overtaken. */
const SETTLED_MS = 1000;

/** Throws `Deviation` unless all these fields have these values; a missing one is not null. */
export function expectFields(
  what: string,
  fields: Readonly<Record<string, unknown>> | undefined,
  wanted: Readonly<Record<string, unknown>>,
): void {
  for (const [name, value] of Object.entries(wanted))
    if (fields?.[name] !== value)
      throw new Deviation(
        `${what}: ${name} is ${JSON.stringify(fields?.[name])} instead of ${JSON.stringify(value)}`,
      );
}

const level: Check<ServerTarget> = {
  check: 'zulip_feature_level is 468 or more',
  section: 'Which to choose',
  isAdvice: true,
  async run(target) {
    const { body } = requireSuccess(await target.call('GET', '/server_settings', {}, null));
    const { zulip_feature_level: announced } = body;
    if (Number(announced) >= 468) return String(announced);
    throw new Deviation(`${String(announced)}: apps do not register in this way`);
  },
};

const adds: Check<ServerTarget> = {
  check: 'POST /register_client_device adds an empty device each time',
  section: 'Registration of a device',
  async run(target) {
    const queue = await target.openQueue('device');
    try {
      const [first, second] = [await addDevice(target), await addDevice(target)];
      if (first === second) throw new Deviation(`device_id ${first} both times`);
      await target.nextEvent(
        queue,
        ({ type, op, device_id }) => type === 'device' && op === 'add' && device_id === second,
        `device event with op "add" for the device ${second}`,
      );
      const devices = await target.devices<DeviceState>('device');
      expectFields('devices', devices[String(second)], EMPTY_DEVICE);
      return `device_id ${first} and ${second}; event; all fields null`;
    } finally {
      await target.close(queue);
    }
  },
};

const noLogin: Check<ServerTarget> = {
  check: 'POST /register_client_device without a login',
  section: 'Errors',
  async run(target) {
    const answer = await target.call('POST', '/register_client_device', {}, null);
    if (answer.status === 401) return shown(answer);
    throw new Deviation(`${shown(answer)} instead of 401`);
  },
};

/** A call that must be refused with `BAD_REQUEST`. */
const refuses = (
  check: string,
  fieldsOf: (phone: DevicePhone, target: ServerTarget) => object | Promise<object>,
  isAdvice?: true,
): Check<ServerTarget> => ({
  check,
  section: 'Registration of a device',
  ...(isAdvice ? { isAdvice } : {}),
  async run(target) {
    const phone = await newDevice(target, 'fcm');
    const answer = await phone.send(await fieldsOf(phone, target));
    return requireError(answer, 400, 'BAD_REQUEST');
  },
});

const pushKey = (first: number, length: number) =>
  Buffer.concat([Buffer.of(first), randomBytes(length)]).toString('base64');
/** 44 characters that are 33 bytes with the right first one, but for two that standard base64 lacks. */
const urlSafeKey = () => `MQ${'-_'.repeat(21)}`;
const badFields: readonly (readonly [name: string, fields: () => object, isAdvice?: true])[] = [
  ['a push_key_id below 0', () => ({ push_key_id: -1 })],
  ['a push_key_id of 33 bits', () => ({ push_key_id: 2 ** 32 })],
  ['a push_key_id in words', () => ({ push_key_id: 'mine' })],
  ['a push_key of 32 bytes', () => ({ push_key: pushKey(0x31, 31) })],
  ['a push_key of 34 bytes', () => ({ push_key: pushKey(0x31, 33) })],
  ['a push_key whose first byte is not 0x31', () => ({ push_key: pushKey(0x32, 32) })],
  ['a push_key in the alphabet of URLs', () => ({ push_key: urlSafeKey() })],
  ['an unknown token_kind', () => ({ token_kind: 'pager' })],
  ['a token_id in the alphabet of URLs', () => ({ token_id: '-_-_-_-_-_8=' })],
  ['a token_id of 7 bytes', () => ({ token_id: randomBytes(7).toString('base64') }), true],
  ['a token_id of 9 bytes', () => ({ token_id: randomBytes(9).toString('base64') }), true],
];
const refusesField = badFields.map(([name, fields, isAdvice]) =>
  refuses(name, (phone) => ({ ...phone.key, ...phone.tokenHalf(), ...fields() }), isAdvice),
);

const halves = [
  refuses('half a key and nothing else', ({ key }) => ({ push_key_id: key.push_key_id })),
  refuses('half a token and nothing else', (phone) => ({ token_id: phone.tokenId })),
  refuses('a first registration without a token', ({ key }) => key),
  refuses('a first registration without a key', (phone) => phone.tokenHalf()),
];

const strangers = [
  refuses('a registration of a device of nobody', (phone) => ({
    ...phone.key,
    ...phone.tokenHalf(),
    device_id: NOBODY,
  })),
  refuses('a registration of a device of another user', async (phone, target) => {
    const { sender } = target.options;
    if (!sender) throw new CannotCheck('needs a second account that has a device');
    return { ...phone.key, ...phone.tokenHalf(), device_id: await addDevice(target, sender) };
  }),
];

const accepts = (kind: TokenKind): Check<ServerTarget> => ({
  check: `a good ${kind} registration: events and state`,
  section: 'State and events of a device',
  async run(target) {
    const phone = await newDevice(target, kind);
    await phone.watched(async (next) => {
      requireSuccess(await phone.register());
      const started = await next();
      expectFields('first event', started, {
        push_key_id: phone.key.push_key_id,
        pending_push_token_id: phone.tokenId,
        push_registration_error_code: null,
      });
      const time = started['push_token_last_updated_timestamp'];
      if (!Number.isSafeInteger(time) || Number(time) > 1e11)
        throw new Deviation(
          `push_token_last_updated_timestamp is ${JSON.stringify(time)} instead of seconds`,
        );
      const accepted = { push_token_id: phone.tokenId, pending_push_token_id: null };
      expectFields('second event', await next(), accepted);
    });
    return `pending, then push_token_id ${phone.tokenId}`;
  },
});

/** A registration that the bouncer must refuse, with the code that the phone must get. */
const refused = (
  check: string,
  code: string,
  changes: (phone: DevicePhone, bouncerKey: string) => object,
): Check<ServerTarget> => ({
  check,
  section: 'State and events of a device',
  async run(target) {
    const phone = await newDevice(target, 'fcm');
    const sent = { ...phone.tokenHalf(), ...changes(phone, target.options.bouncerPublicKey) };
    await phone.watched(async (next) => {
      requireSuccess(await phone.register(sent));
      const event = await phone.decision(next);
      expectFields('event', event, { push_registration_error_code: code });
    });
    expectFields('devices', await phone.state(), {
      push_token_id: null,
      pending_push_token_id: sent.token_id,
      push_registration_error_code: code,
    });
    return `${code}; pending_push_token_id stays`;
  },
});

const again: Check<ServerTarget> = {
  check: 'a refused token is tried again with a better box, also after a new key',
  section: 'State and events of a device',
  async run(target) {
    const phone = await newDevice(target, 'fcm');
    await phone.registered({ encrypted_push_registration: garbageBox() });
    await phone.watched(async (next) => {
      phone.key = newSharedKey();
      requireSuccess(await phone.send(phone.key));
      expectFields('event', await next(), { push_key_id: phone.key.push_key_id });
      requireSuccess(await phone.send(phone.tokenHalf()));
      expectFields('event', await phone.decision(next), { push_token_id: phone.tokenId });
    });
    expectFields('devices', await phone.state(), { push_registration_error_code: null });
    return 'refused, new key, accepted';
  },
};

const repeated: Check<ServerTarget> = {
  check: 'a registration that is repeated stays active',
  section: 'State and events of a device',
  async run(target) {
    const phone = await activeDevice(target, 'fcm');
    await phone.watched(async () => {
      requireSuccess(await phone.register());
      requireSuccess(await phone.send(phone.key));
    });
    expectFields('devices', await phone.state(), {
      push_key_id: phone.key.push_key_id,
      push_token_id: phone.tokenId,
      push_registration_error_code: null,
    });
    return 'push_token_id stays';
  },
};

/** A server may refuse the second box, or register it too, but neither may end what the other has begun. */
const sentTwice: Check<ServerTarget> = {
  check: 'a token that is sent twice at once, in two boxes, gets the next push',
  section: 'State and events of a device',
  async run(target) {
    const phone = await newDevice(target, 'fcm');
    const queue = await target.openQueue('device');
    try {
      const answers = await Promise.all([phone.register(), phone.register()]);
      const refusal = answers.find(({ status }) => status !== 200);
      if (refusal) requireError(refusal, 400, 'BAD_REQUEST');
      await phone.decision(() => phone.update(queue));
    } finally {
      await target.close(queue);
    }
    // What the server still does about the other box, it does now.
    await setTimeout(SETTLED_MS);
    requireSuccess(await phone.test());
    await phone.next();
    return 'arrived';
  },
};

/**
 * Two tokens at once, since the bouncer decides quickly. A server that has its decision about the first in
 * time may take the second.
 */
const pending: Check<ServerTarget> = {
  check: 'another token while one is pending',
  section: 'Registration of a device',
  async run(target) {
    for (let attempt = 0; attempt < 5; attempt++) {
      // A token that the device has already would not be decided again.
      const phone = await newDevice(target, 'fcm');
      const other = await phone.withNewToken();
      const queue = await target.openQueue('device');
      try {
        const answers = await Promise.all([phone.register(), phone.register(other.tokenHalf())]);
        const refusal = answers.find(({ status }) => status !== 200);
        if (refusal) return requireError(refusal, 400, 'BAD_REQUEST');
        const started: unknown[] = [];
        for (let decided = 0; decided < 2;) {
          const event = await phone.update(queue);
          if (typeof event['push_token_id'] === 'string') decided++;
          else if (typeof event['pending_push_token_id'] === 'string') started.push(decided);
          if (started.length === 2 && started[0] === started[1])
            throw new Deviation(`both were taken: ${answers.map(shown).join(', ')}`);
        }
      } finally {
        await target.close(queue);
      }
    }
    throw new CannotCheck('the bouncer decided about one before the other came');
  },
};

const testOfNobody: Check<ServerTarget> = {
  check: 'a test notification for a device without a token, or of nobody',
  section: 'Test notification',
  async run(target) {
    const phone = await newDevice(target, 'fcm');
    requireError(await phone.test(), 400, 'NO_ACTIVE_PUSH_DEVICE');
    const answer = await target.call('POST', TEST_PATH, { device_id: NOBODY });
    return requireError(answer, 400, 'NO_ACTIVE_PUSH_DEVICE', 'BAD_REQUEST');
  },
};

/** Checks of registrations of devices, of their answers, states and events. */
export const deviceRegistrationChecks: CheckGroup<ServerTarget> = {
  group: 'registration',
  checks: [
    level,
    adds,
    noLogin,
    ...refusesField,
    ...halves,
    ...strangers,
    accepts('fcm'),
    accepts('apns'),
    ...refusedRegistrations.map((one) => refused(...one)),
    refused('a token_id of another token', 'BAD_REQUEST', () => ({
      token_id: tokenId(randomBytes(8).toString('hex')),
    })),
    again,
    repeated,
    sentTwice,
    pending,
    testOfNobody,
  ],
};
