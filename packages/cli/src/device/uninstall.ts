import { defineCommand } from '../command-line/command.ts';
import { parseSeconds } from '../command-line/parse-flag.ts';
import { phoneName, requirePhone, savePhone } from './phone-book.ts';
import { uninstallApp } from './simulated-phone.ts';

const reasons = ['Unregistered', 'ExpiredToken'] as const;
interface Flags {
  readonly reason: (typeof reasons)[number];
  readonly noticedAfter?: number;
}

export const uninstall = defineCommand<Flags, [name: string]>({
  description: `The provider calls its token dead from then on. The chat server learns of it with the next
notification, and the phone's registration fails with REQUEST_EXPIRED there.`,
  parameters: {
    flags: {
      reason: {
        kind: 'enum',
        values: reasons,
        brief: "The reason in Apple's answers",
        default: 'Unregistered',
      },
      noticedAfter: {
        kind: 'parsed',
        parse: parseSeconds,
        brief: 'How long the provider still accepts notifications, which reach nobody',
        placeholder: 'seconds',
        optional: true,
      },
    },
    positional: { kind: 'tuple', parameters: [phoneName] },
  },
  async run({ reason, noticedAfter = 0 }, name) {
    await uninstallApp(await requirePhone(name), { reason, noticedAfterMs: noticedAfter });
    await savePhone(name, undefined);
    console.log(`The app is removed from ${name}.`);
  },
});
