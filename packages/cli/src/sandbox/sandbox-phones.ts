import { createClientFor } from '@bellhop/client';
import { sandbox, SANDBOX_PREFIX, type SandboxPhone } from '@bellhop/protocol';

import type { SandboxFile } from './sandbox-file.ts';

/** The phones of a new sandbox, with their notifications. */
export async function phonesOf(file: SandboxFile): Promise<readonly SandboxPhone[]> {
  const owner = file.users.find(({ user_id }) => user_id === file.devices[0]?.user_id);
  if (!owner) return [];
  const client = createClientFor(sandbox, {
    url: file.base_url,
    prefix: SANDBOX_PREFIX,
    email: owner.email,
    apiKey: owner.api_key,
  });
  return (await client.phones.list()).phones;
}
