import { defineCommand } from '../command-line/command.ts';
import { choiceFlag, valueFlag } from '../command-line/flags.ts';
import { parseSeconds } from '../command-line/parse-flag.ts';
import { phoneName, requirePhone, savePhone } from './phone-book.ts';
import { uninstallApp } from './simulated-phone.ts';

const reasons = ['Unregistered', 'ExpiredToken'] as const;

export const uninstall = defineCommand({
  description: `The provider calls its token dead from then on. The chat server learns of it with the next
notification, and the phone's registration fails with REQUEST_EXPIRED there.`,
  flags: {
    reason: choiceFlag("The reason in Apple's answers", reasons, 'Unregistered'),
    noticedAfter: valueFlag(
      'How long the provider still accepts notifications, which reach nobody',
      'seconds',
      parseSeconds,
    ),
  },
  args: [phoneName],
  async run({ reason, noticedAfter = 0 }, name) {
    await uninstallApp(await requirePhone(name), { reason, noticedAfterMs: noticedAfter });
    await savePhone(name, undefined);
    console.log(`The app is removed from ${name}.`);
  },
});
