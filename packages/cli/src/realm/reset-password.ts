import {
  argument,
  defineCommand,
  rethrowAsUserError,
  UserError,
} from '@bellhop/bot-cli/command-line';
import { WrongSecretError } from '@bellhop/server';
import { operatorResetLink, secretsOf } from '@bellhop/server/provision';

import { readEnvironment } from '../server/server-environment.ts';
import { inRealm, realmEnvironment, subdomainFlag } from './in-realm.ts';

export const resetPassword = defineCommand({
  description: `For somebody whom no mail reaches. Whoever has the link has the account: open it yourself, or hand it to nobody else.
The link works once, for a day, until a newer one is made. The new password signs the person out everywhere.
${realmEnvironment}
  BELLHOP_SECRET, BELLHOP_EXTERNAL_URL
                             as the server has them`,
  flags: { subdomain: subdomainFlag },
  args: [argument('email', 'The address of the person', (text) => text.trim())],
  async run({ subdomain }, email) {
    const { secret, externalUrl } = readEnvironment(process.env);
    const link = await inRealm(subdomain, ({ tx, realm }) =>
      operatorResetLink(
        tx,
        {
          secrets: secretsOf(secret),
          now: Math.floor(Date.now() / 1000),
          externalUrl,
          realm: { id: realm.id, subdomain },
        },
        email,
      ),
    ).catch((error: unknown) => {
      if (error instanceof WrongSecretError) return rethrowAsUserError(error);
      throw error;
    });
    if (link === undefined)
      throw new UserError(`Nobody with an active account has the address ${email}.`);
    console.log(link);
  },
});
