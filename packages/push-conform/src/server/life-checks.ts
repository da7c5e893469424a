import { type Check, type CheckGroup, Deviation, withDoubts } from '../check.ts';
import { requireError, requireSuccess } from '../send.ts';
import { activePhone } from './active-phone.ts';
import { TEST_PATH } from './app-on-phone.ts';
import type { ServerTarget } from './server-target.ts';

const uninstalled: Check<ServerTarget> = {
  check: 'a phone without the app is no longer active',
  section: 'Life of a device',
  async run(target) {
    const [gone, alive] = [await activePhone(target, 'apns'), await activePhone(target, 'apns')];
    await target.simulator.uninstall(gone.installed.token);
    const happened = await withDoubts(async () => {
      requireSuccess(await alive.test());
      return requireError(await gone.test(), 400, 'NO_ACTIVE_PUSH_DEVICE');
    });
    const { isActive, words } = await gone.standing();
    if (isActive) throw new Deviation(`${happened}, but the device stays active`);
    return `${happened}; ${words}`;
  },
};

const reinstalled: Check<ServerTarget> = {
  check: 'a phone that has the app again registers anew',
  section: 'Life of a device',
  async run(target) {
    const gone = await activePhone(target, 'fcm');
    await target.simulator.uninstall(gone.installed.token);
    await gone.test();
    const back = await activePhone(target, 'fcm');
    requireSuccess(await back.test());
    back.decrypt(await back.next());
    return 'active, and the test notification arrived';
  },
};

const neighbour: Check<ServerTarget> = {
  check: 'a phone whose push is refused does not stop the others',
  section: 'Life of a device',
  async run(target) {
    const [bad, good] = [await activePhone(target, 'apns'), await activePhone(target, 'apns')];
    const { token } = bad.installed;
    const fault = { status: 400, reason: 'PayloadTooLarge' };
    await target.simulator.withFault({ provider: 'apns', token, fault }, async () => {
      requireSuccess(await target.call('POST', TEST_PATH));
      good.decrypt(await good.next());
    });
    if (!(await bad.standing()).isActive)
      throw new Deviation('the phone whose notification was refused is no longer active');
    return 'arrived on the other; both stay active';
  },
};

/** Uninstalled apps, and phones in trouble. */
export const lifeChecks: CheckGroup<ServerTarget> = {
  group: 'life of a device',
  checks: [uninstalled, reinstalled, neighbour],
};
