import { argument, defineCommand, UserError } from '@bellhop/bot-cli/command-line';
import { accountRights, type AccountRight, setAccountRight } from '@bellhop/server/provision';

import { inRealm, realmEnvironment, subdomainFlag } from './in-realm.ts';

function parseRight(text: string): AccountRight {
  if (Object.hasOwn(accountRights, text)) return text as AccountRight;
  throw new SyntaxError(`write ${Object.keys(accountRights).join(' or ')}`);
}

const rightCommand = (description: string, isGranted: boolean) =>
  defineCommand({
    description: `${description}
create-users: an administrator creates accounts by the API (POST /users).
change-emails: an owner changes the addresses of others by the API (PATCH /users/{user_id}).
${realmEnvironment}`,
    flags: { subdomain: subdomainFlag },
    args: [
      argument('email', 'The address of the person', (text) => text.trim()),
      argument('right', 'create-users or change-emails', parseRight),
    ],
    async run({ subdomain }, email, right) {
      const outcome = await inRealm(subdomain, ({ tx, realm }) =>
        setAccountRight(tx, realm.id, { email, right, isGranted }),
      );
      if (outcome === 'unknown')
        throw new UserError(`Nobody with an active account has the address ${email}.`);
      if (outcome === 'role too low')
        throw new UserError(
          right === 'create-users'
            ? `${email} is no administrator: only administrators can use this right.`
            : `${email} is no owner: only owners can use this right.`,
        );
      const has = isGranted ? 'has' : 'does not have';
      console.log(
        `${email} ${has} the right ${right}${outcome === 'changed' ? ' now' : ' already'}.`,
      );
    },
  });

export const grant = rightCommand('Only this command gives these rights.', true);
export const revoke = rightCommand('Takes away a right of `bellhop realm grant`.', false);
