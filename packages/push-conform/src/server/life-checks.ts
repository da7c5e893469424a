import { type Check, type CheckGroup, Deviation, withDoubts } from '../check.ts';
import { requireError, requireSuccess } from '../send.ts';
import { describeState, type ServerTarget } from './server-target.ts';

const uninstalled: Check<ServerTarget> = {
  check: 'a phone without the app is no longer active',
  section: 'Life of a device',
  async run(target) {
    const [gone, alive] = [await target.activePhone('apns'), await target.activePhone('apns')];
    await target.simulator.uninstall(gone.installed.token);
    const happened = await withDoubts(async () => {
      requireSuccess(await alive.test());
      return requireError(await gone.test(), 400, 'NO_ACTIVE_PUSH_DEVICE');
    });
    const state = await gone.state();
    if (state?.status === 'active') throw new Deviation(`${happened}, but the device stays active`);
    return `${happened}; ${state ? describeState(state) : 'no longer in push_devices'}`;
  },
};

const reinstalled: Check<ServerTarget> = {
  check: 'a phone that has the app again registers anew',
  section: 'Life of a device',
  async run(target) {
    const gone = await target.activePhone('fcm');
    await target.simulator.uninstall(gone.installed.token);
    await gone.test();
    const back = await target.activePhone('fcm');
    requireSuccess(await back.test());
    back.decrypt(await back.next());
    return 'active, and the test notification arrived';
  },
};

const rotated: Check<ServerTarget> = {
  check: 'a phone with a new account and key gets each push once',
  section: 'Life of a device',
  isAdvice: true,
  async run(target) {
    const old = await target.activePhone('fcm');
    const phone = old.otherAccount();
    const event = await phone.registered();
    if (event['status'] !== 'active') throw new Deviation(describeState(event));
    requireSuccess(await target.call('POST', '/mobile_push/e2ee/test_notification'));
    phone.decrypt(await phone.next());
    const more = await phone.moreWithin(Math.min(500, target.timeoutMs));
    if (more.length > 0) throw new Deviation(`${more.length + 1} notifications arrived`);
    return 'one arrived, for the new key';
  },
};

const neighbour: Check<ServerTarget> = {
  check: 'a phone whose push is refused does not stop the others',
  section: 'Life of a device',
  async run(target) {
    const [bad, good] = [await target.activePhone('apns'), await target.activePhone('apns')];
    const { token } = bad.installed;
    const fault = { status: 400, reason: 'PayloadTooLarge' };
    await target.simulator.withFault({ provider: 'apns', token, fault }, async () => {
      requireSuccess(await target.call('POST', '/mobile_push/e2ee/test_notification'));
      good.decrypt(await good.next());
    });
    const state = await bad.state();
    if (state?.status !== 'active')
      throw new Deviation('the phone whose notification was refused is no longer active');
    return 'arrived on the other; both stay active';
  },
};

/** Uninstalled apps, new keys, and phones in trouble. */
export const lifeChecks: CheckGroup<ServerTarget> = {
  group: 'life of a device',
  checks: [uninstalled, reinstalled, rotated, neighbour],
};
