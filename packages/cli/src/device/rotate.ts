import { defineCommand, rethrowAsUserError, switchFlag } from '@bellhop/bot-cli/command-line';

import { phoneName, phonesHere, requirePhone } from '../phones/phones-here.ts';
import { Phones } from '../phones/phones.ts';
import { sandboxOfKept } from './sandbox-of.ts';

export const rotate = defineCommand({
  description: `The phone gets a new key and registers again; one of the generation account gets a new push_account_id
too, and its old registration ends: a server must not push to the phone twice. One of the generation device
keeps its device_id, and its older keys for what is on the way. An app that was removed is installed again.`,
  flags: {
    newToken: switchFlag(
      'Get a new token from the provider too, as after a restored backup; the old one dies',
    ),
  },
  args: [phoneName],
  async run({ newToken }, name) {
    const store = await phonesHere();
    const old = await requirePhone(store, name);
    const sandbox = await sandboxOfKept(old);
    if (sandbox)
      await sandbox.phones.rotate({ name, new_token: newToken }).catch(rethrowAsUserError);
    else await new Phones(store).rotate(old, newToken);
    const { identity } = await requirePhone(store, name);
    console.log(
      'device_id' in identity
        ? `${name} has the new push_key_id ${identity.key.push_key_id}.`
        : `${name} has the new push_account_id ${identity.push_account_id}.`,
    );
  },
});
