import { newIdentity } from '@bellhop/device';

import { defineCommand } from '../command-line/command.ts';
import { switchFlag } from '../command-line/flags.ts';
import { controlClient } from '../simulator/control-client.ts';
import { phoneName, requirePhone, savePhone } from './phone-book.ts';
import { installApp, registerPhone, uninstallApp } from './simulated-phone.ts';

export const rotate = defineCommand({
  description: `The phone gets a new push_account_id and key pair, and registers again. The old registration ends: a
server must not push to the phone twice.`,
  flags: {
    newToken: switchFlag(
      'Get a new token from the provider too, as after a restored backup; the old one dies',
    ),
  },
  args: [phoneName],
  async run({ newToken }, name) {
    const old = await requirePhone(name);
    const issued = newToken
      ? await installApp(controlClient(old.simulator), old.kind, old.app_id)
      : old;
    const { token, subscription } = issued;
    const phone = { ...old, token, subscription, identity: newIdentity() };
    await registerPhone(phone);
    await savePhone(name, phone);
    if (newToken) await uninstallApp(old);
    console.log(`${name} has the new push_account_id ${phone.identity.push_account_id}.`);
  },
});
