import { defineCommand, printRows, switchFlag } from '@bellhop/bot-cli/command-line';
import { generationOf } from '@bellhop/device';
import { type ClientDevice, clientDeviceStatus } from '@bellhop/protocol';

import type { PhoneEntry } from '../phones/phone-store.ts';
import { noPhones, phonesHere } from '../phones/phones-here.ts';
import { clientOf, numbersOf, serverNumberOf, stateAtProvider } from '../phones/simulated-phone.ts';

export const list = defineCommand({
  description: `For each phone: its number at the chat server (the push_account_id of the generation account, the device_id
of the generation device), what the chat server says of its registration (active, pending, failed with code and reason,
no token, or missing), and what the provider says (online, offline, uninstalled). Of an active phone whose app is
removed it also says what became of the last push, for the bouncer may doubt that it is dead. The phones of a running sandbox, which
its console shows, are among them.`,
  flags: { json: switchFlag('Print one line of JSON for each phone, without keys') },
  async run({ json }) {
    const store = await phonesHere();
    const rows = await Promise.all(
      (await store.list()).map(async (phone) => {
        const [server, provider] = [await atServer(phone), await atProvider(phone)];
        const isGone = server === 'active' && provider.startsWith(UNINSTALLED);
        return {
          name: phone.name,
          kind: phone.kind,
          app_id: phone.app_id,
          email: phone.email,
          server_url: phone.server_url,
          generation: generationOf(phone.identity),
          ...numbersOf(phone.identity),
          server: isGone ? `${server}${await lastPush(phone)}` : server,
          provider,
        };
      }),
    );
    if (!json && rows.length === 0) console.log(noPhones);
    printRows(
      json
        ? rows
        : rows.map(({ generation, push_account_id, device_id, app_id: _app, ...row }) => ({
            ...row,
            generation,
            number: push_account_id ?? device_id,
          })),
      {
        json,
      },
    );
  },
});

const UNINSTALLED = 'uninstalled';

/** What became of the last push to the phone, unless there is none or it was accepted. */
async function lastPush(phone: PhoneEntry): Promise<string> {
  const number = serverNumberOf(phone.identity);
  const answer = await clientOf(phone)
    .devices.traces({ ...number, limit: 1 })
    .catch(() => undefined);
  const attempt = answer?.traces[0]?.attempts.at(-1);
  if (attempt === undefined || attempt.outcome === 'accepted') return '';
  return `, last push ${attempt.outcome}${attempt.reason === null ? '' : `: ${attempt.reason}`}`;
}

const statusOf = (device: ClientDevice | undefined) => device && clientDeviceStatus(device);

async function atServer(phone: PhoneEntry): Promise<string> {
  try {
    const types = ['push_device', 'device'];
    const client = clientOf(phone);
    const state = await client.queues.register({
      event_types: types,
      fetch_event_types: types,
      client_capabilities: { push_device_error_message: true },
    });
    if (state.queue_id !== null) await client.queues.remove({ queue_id: state.queue_id });
    const device =
      'device_id' in phone.identity
        ? statusOf(state.devices?.[phone.identity.device_id])
        : state.push_devices?.[phone.identity.push_account_id];
    if (!device) return 'missing';
    const { status, error_code, error_message } = device;
    if (error_code === null) return status.replace('_', ' ');
    return `${status} ${error_code}${error_message === undefined ? '' : `: ${error_message}`}`;
  } catch (error) {
    return `unknown: ${(error as Error).message}`;
  }
}

async function atProvider(phone: PhoneEntry): Promise<string> {
  try {
    const device = await stateAtProvider(phone);
    if (device === undefined) return 'unknown to the provider';
    if (device.uninstalled !== null) return `${UNINSTALLED} (${device.uninstalled.reason})`;
    return device.online ? 'online' : 'offline';
  } catch (error) {
    return (error as Error).message;
  }
}
