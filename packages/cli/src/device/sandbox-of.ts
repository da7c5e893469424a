import { UserError } from '@bellhop/bot-cli/command-line';
import { findSandbox } from '@bellhop/bot-cli/sandbox';
import { createClientFor } from '@bellhop/client';
import { sandbox, SANDBOX_PREFIX } from '@bellhop/protocol';

import type { PhoneEntry } from '../phones/phone-store.ts';

/** The fields of a phone by which its sandbox is found: account, key of the bouncer, simulator. */
type SandboxLogin = Pick<PhoneEntry, 'email' | 'api_key' | 'bouncer_public_key' | 'simulator'>;

/**
 * The operations of the sandbox that runs, as the owner of the phone; undefined for a phone of any other
 * server. Who changes the keys of a sandbox's phone asks it: it shows what the phone receives.
 */
export async function sandboxOf(login: SandboxLogin) {
  const file = await findSandbox();
  const isOurs =
    file?.users.some(({ api_key }) => api_key === login.api_key) &&
    file.bouncer_public_key === login.bouncer_public_key &&
    file.simulator.control_token === login.simulator.control_token;
  if (!file || !isOurs) return undefined;
  const { email, api_key: apiKey } = login;
  return createClientFor(sandbox, { url: file.base_url, prefix: SANDBOX_PREFIX, email, apiKey });
}

/** The same for a phone that is kept. Throws a UserError if its sandbox does not run. */
export async function sandboxOfKept(phone: PhoneEntry) {
  const found = await sandboxOf(phone);
  if (found || phone.user_id === undefined) return found;
  throw new UserError(`${phone.name} is a phone of a sandbox that does not run: start it first.`);
}
