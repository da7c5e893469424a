import { createClientFor } from '@bellhop/client';
import { sandbox as sandboxApi, SANDBOX_PREFIX } from '@bellhop/protocol';

import { defineCommand } from '../command-line/command.ts';
import { switchFlag } from '../command-line/flags.ts';
import { printRows } from '../command-line/print-rows.ts';
import { findSandbox } from '../sandbox/find-sandbox.ts';
import type { SandboxFile } from '../sandbox/sandbox-file.ts';
import { noPhones, type PhoneEntry, readPhones } from './phone-book.ts';
import { clientOf, stateAtProvider } from './simulated-phone.ts';

export const list = defineCommand({
  description: `For each phone: what the chat server says of its registration (active, pending, failed with code and reason,
or missing), and what the provider says (online, offline, uninstalled). The phones of a sandbox that its
console shows are in the list, too ("console"): the other commands are for those of "device add".`,
  flags: { json: switchFlag('Print one line of JSON for each phone, without keys') },
  async run({ json }) {
    const added = await readPhones();
    const sandbox = await findSandbox();
    const rows = [
      ...(await Promise.all(
        added.map(async (phone) => ({
          name: phone.name,
          kind: phone.kind,
          app_id: phone.app_id,
          email: phone.email,
          server_url: phone.server_url,
          push_account_id: phone.identity.push_account_id,
          used_by: 'device',
          server: await atServer(phone, phone.identity.push_account_id),
          provider: await atProvider(phone),
        })),
      )),
      ...(sandbox ? await ofConsole(sandbox) : []),
    ];
    if (!json && rows.length === 0) console.log(noPhones);
    printRows(json ? rows : rows.map(({ push_account_id: _id, app_id: _app, ...row }) => row), {
      json,
    });
  },
});

/** The phones of everybody in a sandbox that its console shows. */
async function ofConsole({ base_url: server_url, users }: SandboxFile) {
  const rows = await Promise.all(
    users.map(async ({ email, api_key }) => {
      const login = { url: server_url, email, apiKey: api_key };
      const client = createClientFor(sandboxApi, { ...login, prefix: SANDBOX_PREFIX });
      const { phones } = await client.phones.list().catch(() => ({ phones: [] }));
      return Promise.all(
        phones.map(async ({ name, token_kind, app_id, push_account_id, ...phone }) => ({
          name,
          kind: token_kind,
          app_id,
          email,
          server_url,
          push_account_id,
          used_by: 'console',
          server: await atServer({ server_url, email, api_key }, push_account_id),
          provider: phone.is_installed ? (phone.is_online ? 'online' : 'offline') : 'uninstalled',
        })),
      );
    }),
  );
  return rows.flat();
}

type Login = Pick<PhoneEntry, 'server_url' | 'email' | 'api_key'>;

async function atServer(login: Login, pushAccountId: string): Promise<string> {
  try {
    const types = ['push_device'];
    const client = clientOf(login);
    const state = await client.queues.register({
      event_types: types,
      fetch_event_types: types,
      client_capabilities: { push_device_error_message: true },
    });
    if (state.queue_id !== null) await client.queues.remove({ queue_id: state.queue_id });
    const device = state.push_devices?.[pushAccountId];
    if (!device) return 'missing';
    const { status, error_code, error_message } = device;
    if (error_code === null) return status;
    return `${status} ${error_code}${error_message === undefined ? '' : `: ${error_message}`}`;
  } catch (error) {
    return `unknown: ${(error as Error).message}`;
  }
}

async function atProvider(phone: PhoneEntry): Promise<string> {
  try {
    const device = await stateAtProvider(phone);
    if (device === undefined) return 'unknown to the provider';
    if (device.uninstalled !== null) return `uninstalled (${device.uninstalled.reason})`;
    return device.online ? 'online' : 'offline';
  } catch (error) {
    return (error as Error).message;
  }
}
