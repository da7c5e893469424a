import { type Client, createClient } from '@bellhop/client';

import { UserError } from '../command-line/user-error.ts';
import type { SandboxFile } from './sandbox-file.ts';

export type Person = SandboxFile['users'][number];

/** The person that owns the phones of a sandbox, logged in. Throws a UserError if there is nobody. */
export function sandboxClient(file: SandboxFile): Person & { readonly client: Client } {
  const { base_url: url, users, devices } = file;
  const person = users.find(({ user_id }) => user_id === devices[0]?.user_id) ?? users[0];
  if (!person)
    throw new UserError('The sandbox has no users: remove its data directory and start it again.');
  return { ...person, client: createClient({ url, email: person.email, apiKey: person.api_key }) };
}
