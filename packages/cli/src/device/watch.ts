import { defineCommand, switchFlag, untilSignal, UserError } from '@bellhop/bot-cli/command-line';
import type { Notification } from '@bellhop/push-simulator';

import { arrivalLine, arrivalOf } from '../phones/arrival.ts';
import type { PhoneEntry, PhoneStore } from '../phones/phone-store.ts';
import { noPhones, phoneName, phonesHere, requirePhone } from '../phones/phones-here.ts';
import { deviceOf, notificationsAfter } from '../phones/simulated-phone.ts';

export const watch = defineCommand({
  description: `Without names it watches every phone. Prints one line for each notification: time, phone, what it is,
and the decrypted content; or why the phone cannot use it. Ctrl-C ends it.`,
  flags: {
    all: switchFlag('Begin with what arrived before; the simulator keeps 1000 for each phone'),
    json: switchFlag('One line of JSON for each notification'),
  },
  args: { each: phoneName },
  async run({ all, json }, ...names) {
    const store = await phonesHere();
    const phones =
      names.length > 0
        ? await Promise.all(names.map((name) => requirePhone(store, name)))
        : await store.list();
    if (phones.length === 0) throw new UserError(noPhones);
    let lost: unknown;
    const code = await untilSignal({
      async start(stopping, end) {
        const starts = await Promise.all(phones.map((phone) => startOf(phone, all, print(json))));
        const watching = phones.map((phone, at) =>
          follow(store, { phone, start: starts[at] ?? 0, show: print(json) }, stopping).catch(
            (error: unknown) => {
              if (stopping.aborted) return;
              lost = error;
              end();
            },
          ),
        );
        if (!json) console.log(`Watching ${phones.map(({ name }) => name).join(', ')}.`);
        return async () => void (await Promise.all(watching));
      },
    });
    if (lost === undefined) return code;
    throw new UserError(`The phones have lost their provider: ${(lost as Error).message}`);
  },
});

type Print = (phone: PhoneEntry, notification: Notification) => void;
const print =
  (json: boolean): Print =>
  (phone, notification) => {
    const arrival = arrivalOf(phone.name, deviceOf(phone), notification);
    console.log(json ? JSON.stringify(arrival) : arrivalLine(arrival));
  };

/** Prints the earlier notifications if `all` is set. Returns the `seq` of the last notification. */
async function startOf(phone: PhoneEntry, all: boolean, show: Print): Promise<number> {
  const earlier = await notificationsAfter(phone, 0);
  if (all) for (const notification of earlier) show(phone, notification);
  return earlier.at(-1)?.seq ?? 0;
}

/** Prints notifications until `signal` aborts. Follows the phone of this name through a rotation. */
async function follow(
  store: PhoneStore,
  { phone, start, show }: { phone: PhoneEntry; start: number; show: Print },
  signal: AbortSignal,
): Promise<void> {
  let current = phone;
  for (let after = start; !signal.aborted;) {
    const notifications = await notificationsAfter(current, after, signal);
    const { token } = current;
    current = (await store.find(phone.name)) ?? current;
    for (const notification of notifications) show(current, notification);
    after = current.token === token ? (notifications.at(-1)?.seq ?? after) : 0;
  }
}
