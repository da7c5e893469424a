import { setTimeout as sleep } from 'node:timers/promises';

import { defineCommand, rethrowAsUserError, UserError } from '@bellhop/bot-cli/command-line';
import { requireSandbox, sandboxClient, type SandboxFile } from '@bellhop/bot-cli/sandbox';
import { createClientFor } from '@bellhop/client';
import { sandbox, SANDBOX_PREFIX, type SandboxPhone } from '@bellhop/protocol';

export const push = defineCommand({
  description: 'Reads .bellhop/sandbox.json (or BELLHOP_DATA_DIR), which a running sandbox writes.',
  async run() {
    await pushToPhones(await requireSandbox()).catch(rethrowAsUserError);
  },
});

const PATIENCE_MS = 20_000;

/** Sends a test notification and prints what each phone of the sandbox receives. */
async function pushToPhones(sandbox: SandboxFile): Promise<void> {
  const { client, full_name } = sandboxClient(sandbox);
  const phones = () => phonesOf(sandbox);
  const all = await phones();
  // The others receive nothing now.
  const reachable = all.filter((phone) => phone.is_online && phone.is_installed);
  const sizes = new Map(reachable.map(({ name, inbox }) => [name, inbox.length]));
  await client.devices.testNotification({});
  console.log(`${full_name} asked for a test notification on every phone.`);
  for (const { name, is_installed } of all.filter((phone) => !reachable.includes(phone)))
    console.log(
      `${name} gets nothing now: ${is_installed ? 'it is offline' : 'its app is removed'}.`,
    );
  const waiting = new Set(sizes.keys());
  for (const start = performance.now(); waiting.size > 0; await sleep(50)) {
    if (performance.now() - start > PATIENCE_MS)
      throw new UserError(
        `Nothing arrived on: ${[...waiting].join(', ')}. See what the sandbox logs.`,
      );
    for (const { name, token_kind, inbox } of await phones()) {
      const received = inbox[sizes.get(name) ?? 0];
      if (!received || !waiting.delete(name)) continue;
      console.log(`\n${name} (${token_kind}) received ${received.encrypted_data.slice(0, 40)}...`);
      console.log(`and decrypted ${JSON.stringify(received.payload)}`);
    }
  }
}

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
