import { argument, defineCommand, switchFlag, UserError } from '@bellhop/bot-cli/command-line';
import { personToErase, startErasure } from '@bellhop/server/provision';

import { inRealm, realmEnvironment, subdomainFlag } from './in-realm.ts';

export const erasePerson = defineCommand({
  description: `For good: name, address, picture, profile, settings, password, key, devices, sessions, drafts, what they have read, and files that no message links. Their messages stay, as those of "Deleted user 12". docs/moving.md says what stays and why.
Give them their data before: bellhop realm export --person E-MAIL.
A running server does it, in the background and with events to everybody's clients; without one, the next that starts.
${realmEnvironment}`,
  flags: {
    subdomain: subdomainFlag,
    deleteMessages: switchFlag('Delete their messages, reactions, votes and files too'),
    yes: switchFlag('Do it: without it, says who would be erased'),
  },
  args: [argument('email', 'The address of the person', (text) => text.trim())],
  async run({ subdomain, deleteMessages, yes }, email) {
    const line = await inRealm(subdomain, async ({ tx, realm }) => {
      const user = await personToErase(tx, realm.id, email);
      if (user === 'unknown') throw new UserError(`Nobody has the address ${email}.`);
      if (user === 'only owner')
        throw new UserError(
          `${email} is the only owner of the organization. Make somebody else an owner first.`,
        );
      const what = deleteMessages ? 'with their messages and files' : 'and their messages stay';
      if (!yes)
        return `${user.full_name} (${email}) would be erased, ${what}. It cannot be undone: --yes does it.`;
      await startErasure(tx, user, { deletesMessages: deleteMessages });
      return `${user.full_name} (${email}) is being erased, ${what}. From now on they are "Deleted user ${user.id}".`;
    });
    console.log(line);
  },
});
