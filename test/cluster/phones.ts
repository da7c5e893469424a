import { createClient, type Client } from '@bellhop/client';
import { addClientDevice, Device, newIdentity } from '@bellhop/device';
import { appDataOf, type PushSimulator } from '@bellhop/push-simulator';

import { phoneKinds } from '../support/push-server.ts';
import type { History } from './history.ts';
import { PASSWORD, type Person } from './people.ts';

const PHONES = 4;

export interface PhoneOwner extends Person {
  readonly id: number;
}

interface PhonesOptions {
  readonly url: string;
  readonly owner: Client;
  readonly simulator: PushSimulator;
  /** The key of the bouncer. */
  readonly publicKey: string;
  readonly history: History;
}

/** People who are never online, and their phones, which note what they show. Both generations of pushes. */
export async function addPhones(options: PhonesOptions): Promise<PhoneOwner[]> {
  const { url, owner, simulator, publicKey, history } = options;
  const owners: PhoneOwner[] = [];
  for (let n = 0; n < PHONES; n++) {
    const email = `phone${n}@chat.test`;
    const { user_id } = await owner.users.create({
      email,
      full_name: `Phone ${n}`,
      password: PASSWORD,
    });
    const login = { username: email, password: PASSWORD };
    const { api_key: apiKey } = await owner.accounts.fetchApiKey(login);
    const client = createClient({ url, email, apiKey });
    const kind = phoneKinds[n % phoneKinds.length] ?? 'fcm';
    const { token, app_id } = simulator.addDevice({ kind });
    const device = new Device({
      client,
      token: kind === 'apns' ? { kind, token, iosAppId: app_id } : { kind, token },
      bouncerPublicKey: publicKey,
      identity: n % 2 === 0 ? newIdentity() : await addClientDevice(client),
    });
    simulator.devices.listen(token, (notification) => {
      const { received, fields } = appDataOf(notification);
      const payload = device.receive(received);
      if (payload.type !== 'message') return;
      const shown = history.shown.get(payload.message_id) ?? new Set();
      history.shown.set(payload.message_id, shown.add(String(fields['encrypted_data'])));
    });
    await device.register();
    owners.push({ name: `phone ${n}`, client, id: user_id });
  }
  return owners;
}
