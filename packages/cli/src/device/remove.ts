import { defineCommand, rethrowAsUserError } from '@bellhop/bot-cli/command-line';

import { phoneName, phonesHere, requirePhone } from '../phones/phones-here.ts';
import { Phones } from '../phones/phones.ts';
import { sandboxOfKept } from './sandbox-of.ts';

export const remove = defineCommand({
  description: `Ends the registration at the chat server, removes the app and forgets the phone. If the server or the
simulator is gone for good, the phone is forgotten all the same.`,
  args: [phoneName],
  async run(_flags, name) {
    const store = await phonesHere();
    const phone = await requirePhone(store, name);
    const sandbox = await sandboxOfKept(phone);
    if (sandbox) await sandbox.phones.remove({ name }).catch(rethrowAsUserError);
    else
      await new Phones(store).remove(phone).catch(async (error: unknown) => {
        await store.remove(name);
        console.log(`Its registration could not be ended: ${(error as Error).message}`);
      });
    console.log(`${name} is forgotten.`);
  },
});
