import { CannotCheck, type Check, type CheckGroup, Deviation, withDoubts } from '../check.ts';
import { requireSuccess, shown } from '../send.ts';
import { activeAccount, type AccountPhone, describeState, newAccount } from './account-phone.ts';
import { checkEnvelope, checkFields } from './check-notification.ts';
import { readAndRemove } from './read-and-remove.ts';
import type { ServerTarget } from './server-target.ts';

/**
 * An active browser. Throws `CannotCheck` if the server or the bouncer takes none: the protocol
 * leaves it open.
 */
async function activeBrowser(target: ServerTarget): Promise<AccountPhone> {
  const browser = await newAccount(target, 'webpush');
  const queue = await target.openQueue('push_device');
  try {
    const answer = await browser.register();
    if (answer.status === 400)
      throw new CannotCheck(`${shown(answer)}: the server takes no browsers`);
    requireSuccess(answer);
    const event = await browser.decision(queue);
    if (event['status'] === 'active') return browser;
    throw new CannotCheck(`${describeState(event)}: the bouncer takes no browsers`);
  } finally {
    await target.close(queue);
  }
}

const test: Check<ServerTarget> = {
  check: 'a test notification in a browser',
  section: 'Browsers',
  async run(target) {
    const browser = await activeBrowser(target);
    requireSuccess(await browser.test());
    const notification = await browser.next();
    checkEnvelope(browser, notification, false);
    checkFields(browser.decrypt(notification), { type: ['test'], time: 'int' });
    return 'arrived, decrypted, complete';
  },
};

const removal: Check<ServerTarget> = {
  check: 'a message reaches phone and browser, and is removed from both when read elsewhere',
  section: 'Browsers',
  run: async (target) =>
    readAndRemove(target, [await activeAccount(target, 'fcm'), await activeBrowser(target)]),
};

const unsubscribed: Check<ServerTarget> = {
  check: 'a browser that has unsubscribed is no longer active',
  section: 'Browsers',
  async run(target) {
    const [gone, alive] = [await activeBrowser(target), await activeBrowser(target)];
    await target.simulator.uninstall(gone.installed.token);
    return withDoubts(async () => {
      requireSuccess(await alive.test());
      await gone.test();
      const state = await gone.state();
      if (state?.status === 'active') throw new Deviation('the browser stays active');
      return state ? describeState(state) : 'no longer in push_devices';
    });
  },
};

/** Checks of browsers. A server may refuse all browsers; one that takes them follows the page. */
export const browserChecks: CheckGroup<ServerTarget> = {
  group: 'browsers',
  checks: [test, removal, unsubscribed],
};
