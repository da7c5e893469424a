import { garbageBox } from '../boxes.ts';
import { CannotCheck, type Check, type CheckGroup, Deviation, withDoubts } from '../check.ts';
import { requireError, requireSuccess, shown } from '../send.ts';
import { type AppOnPhone, fieldsOf, TEST_PATH } from './app-on-phone.ts';
import { checkEnvelope, checkFields } from './check-notification.ts';
import { activeDevice, addDevice, DevicePhone, newDevice, newSharedKey } from './device-phone.ts';
import { expectFields } from './device-registration-checks.ts';
import { sendMessage } from './read-and-remove.ts';
import type { ServerTarget } from './server-target.ts';

/** Asks for a test notification and checks that the phone can decrypt it with its key. */
async function testArrives(phone: AppOnPhone): Promise<string> {
  requireSuccess(await phone.test());
  const notification = await phone.next();
  checkEnvelope(phone, notification, false);
  phone.decrypt(notification);
  return String(fieldsOf(notification)['encrypted_data']);
}

const nonces: Check<ServerTarget> = {
  check: 'each notification has its own nonce',
  section: 'Notifications to a device',
  async run(target) {
    const phone = await activeDevice(target, 'fcm');
    const [first, second] = [await testArrives(phone), await testArrives(phone)];
    // 24 bytes of base64.
    if (first.slice(0, 32) === second.slice(0, 32)) throw new Deviation('one nonce for two');
    return 'two nonces for two';
  },
};

const recipients: Check<ServerTarget> = {
  check: 'a direct message has recipient_user_ids',
  section: 'What is in encrypted_data',
  async run(target) {
    const phone = await activeDevice(target, 'fcm');
    await sendMessage(target, 'to you');
    const payload = phone.decrypt(await phone.next());
    checkFields(payload, { type: ['message'] });
    const ids = [await target.userId(), await target.userId(target.options.sender)];
    const wanted = JSON.stringify(ids.toSorted((a, b) => a - b));
    const given = JSON.stringify(payload['recipient_user_ids']);
    if (given !== wanted)
      throw new Deviation(`recipient_user_ids is ${given} instead of ${wanted}`);
    return given;
  },
};

const sound: Check<ServerTarget> = {
  check: 'a notification on an iPhone has a sound',
  section: 'Notifications to a device',
  isAdvice: true,
  async run(target) {
    const phone = await activeDevice(target, 'apns');
    requireSuccess(await phone.test());
    const aps = fieldsOf(await phone.next())['aps'] as Record<string, unknown> | undefined;
    if (typeof aps?.['sound'] === 'string') return `sound "${aps['sound']}"`;
    throw new Deviation('aps has no sound: the phone stays silent');
  },
};

const newKey: Check<ServerTarget> = {
  check: 'a new key is used at once, the old one until then; a bad one changes nothing',
  section: 'Registration of a device',
  async run(target) {
    const phone = await activeDevice(target, 'fcm');
    const { push_key } = newSharedKey();
    const bad = { ...newSharedKey(), push_key: push_key.slice(0, -4) };
    requireError(await phone.send(bad), 400, 'BAD_REQUEST');
    await testArrives(phone);
    const key = newSharedKey();
    await phone.watched(async (next) => {
      requireSuccess(await phone.send(key));
      expectFields('event', await next(), { push_key_id: key.push_key_id });
    });
    phone.key = key;
    await testArrives(phone);
    return 'each notification had the key that was acknowledged';
  },
};

const newToken: Check<ServerTarget> = {
  check: 'a new token gets the pushes when the bouncer has accepted it, the old one until then',
  section: 'Registration of a device',
  async run(target) {
    const phone = await activeDevice(target, 'fcm');
    const moved = await phone.withNewToken();
    await phone.watched(async (next) => {
      const bad = { ...moved.tokenHalf(), encrypted_push_registration: garbageBox() };
      requireSuccess(await phone.send(bad));
      await phone.decision(next);
    });
    await testArrives(phone);
    await phone.watched(async (next) => {
      requireSuccess(await phone.send(moved.tokenHalf()));
      expectFields('event', await phone.decision(next), { push_token_id: moved.tokenId });
    });
    await testArrives(moved);
    const more = await phone.moreWithin(500);
    if (more.length > 0) throw new Deviation('the old token gets pushes still');
    return 'the old token, then the new one';
  },
};

const dead: Check<ServerTarget> = {
  check: 'a token that the provider calls dead: event and state',
  section: 'End of a device',
  async run(target) {
    const [gone, alive] = [await activeDevice(target, 'apns'), await activeDevice(target, 'apns')];
    await target.simulator.uninstall(gone.installed.token);
    await gone.watched(async (next) => {
      await withDoubts(async () => {
        requireSuccess(await alive.test());
        requireError(await gone.test(), 400, 'NO_ACTIVE_PUSH_DEVICE');
      });
      expectFields('event', await next(), { push_token_id: null });
    });
    const wanted = { push_key_id: gone.key.push_key_id, push_token_id: null };
    expectFields('devices', await gone.state(), wanted);
    return 'push_token_id null, the key stays';
  },
};

/** Removes a device. Throws `CannotCheck` if the server has no such request, which is of level 470. */
async function remove(phone: DevicePhone): Promise<void> {
  const answer = await phone.remove();
  if (answer.status === 404) throw new CannotCheck(`${shown(answer)}: a server below level 470`);
  requireSuccess(answer);
}

const logout: Check<ServerTarget> = {
  check: 'a phone that logs out: event, state, and no more pushes; it may log in again',
  section: 'End of a device',
  async run(target) {
    const [phone, alive] = [await activeDevice(target, 'fcm'), await activeDevice(target, 'fcm')];
    const id = phone.deviceId;
    const queue = await target.openQueue('device');
    try {
      await remove(phone);
      await target.nextEvent(
        queue,
        ({ type, op, device_id }) => type === 'device' && op === 'remove' && device_id === id,
        `device event with op "remove" for the device ${id}`,
      );
    } finally {
      await target.close(queue);
    }
    if (await phone.state()) throw new Deviation('the device is still in devices');
    requireSuccess(await target.call('POST', TEST_PATH));
    alive.decrypt(await alive.next());
    if ((await phone.moreWithin(500)).length > 0)
      throw new Deviation('the device that was removed gets pushes still');
    const back = new DevicePhone(target, phone.installed, await addDevice(target));
    await back.registered();
    await testArrives(back);
    return `event, not in devices, no push; then the device ${back.deviceId}`;
  },
};

const removals: Readonly<
  Record<string, (phone: DevicePhone, target: ServerTarget) => number | Promise<number>>
> = {
  'of nobody': () => 2_000_000_000,
  'that was removed before': async (phone) => {
    await remove(phone);
    return phone.deviceId;
  },
  'of another user': (_phone, target) => {
    const { sender } = target.options;
    if (sender) return addDevice(target, sender);
    throw new CannotCheck('needs a second account that has a device');
  },
};
const refusesRemoval = Object.entries(removals).map(([name, idOf]): Check<ServerTarget> => ({
  check: `the removal of a device ${name}`,
  section: 'End of a device',
  async run(target) {
    const phone = await newDevice(target, 'fcm');
    const device_id = await idOf(phone, target);
    const answer = await target.call('POST', '/remove_client_device', { device_id });
    if (answer.status === 404) throw new CannotCheck(`${shown(answer)}: a server below level 470`);
    return requireError(answer, 400, 'BAD_REQUEST');
  },
}));

/** Keys and tokens that change, and devices that end. */
export const deviceLifeChecks: CheckGroup<ServerTarget> = {
  group: 'keys, tokens and logout',
  checks: [nonces, recipients, sound, newKey, newToken, dead, logout, ...refusesRemoval],
};
