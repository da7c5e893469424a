import { choiceFlag, defineCommand, parseSeconds, valueFlag } from '@bellhop/bot-cli/command-line';

import { phoneName, phonesHere, requirePhone } from '../phones/phones-here.ts';
import { uninstallApp } from '../phones/simulated-phone.ts';

const reasons = ['Unregistered', 'ExpiredToken'] as const;

export const uninstall = defineCommand({
  description: `The provider calls its token dead from then on. The chat server learns of it with the next
notification, and the phone's registration fails with REQUEST_EXPIRED there. "device rotate" installs the app
again; "device remove" forgets the phone.`,
  flags: {
    reason: choiceFlag("The reason in Apple's answers", reasons, 'Unregistered'),
    noticedAfter: valueFlag(
      'How long the provider still accepts notifications, which reach nobody',
      'seconds',
      parseSeconds,
    ),
  },
  args: [phoneName],
  async run({ reason, noticedAfter: noticedAfterMs = 0 }, name) {
    const phone = await requirePhone(await phonesHere(), name);
    await uninstallApp(phone, { reason, noticedAfterMs });
    console.log(`The app is removed from ${name}.`);
  },
});
