import { type Client, createClient } from '@bellhop/client';
import { Device, type DeviceIdentity, type DeviceToken } from '@bellhop/device';
import { ApiError, type PushPayload, type TokenKind, type UserId } from '@bellhop/protocol';
import { appDataOf, type PushSimulator } from '@bellhop/push-simulator';

import { deviceToken, newDevice } from './device-token.ts';
import type { SandboxState } from './sandbox-state.ts';
import type { SandboxUser } from './seed-people.ts';

const models = [
  { name: 'Android phone', kind: 'fcm' },
  { name: 'iPhone', kind: 'apns' },
  { name: 'Browser', kind: 'webpush' },
] as const;

/** A notification that a phone or browser has received, decrypted and as it travelled. */
export interface Received {
  readonly seq: number;
  readonly received_at: string;
  readonly payload: PushPayload;
  readonly encrypted_data: string;
}
export interface Phone {
  readonly name: string;
  readonly user_id: UserId;
  readonly push_account_id: string;
  readonly token_kind: TokenKind;
  readonly inbox: readonly Received[];
}

interface PhonesOptions {
  readonly url: string;
  readonly owner: SandboxUser;
  readonly state: SandboxState;
  /** Saves the state, to which each phone adds its token and its identity. */
  readonly save: () => Promise<void>;
  readonly simulator: PushSimulator;
  readonly onReceived: (phone: Phone, received: Received) => void;
}

/** Starts the phones and the browser of one person. Each registers and listens to its provider. */
export async function startPhones(options: PhonesOptions): Promise<Phone[]> {
  const phones = await Promise.all(models.map(({ name, kind }) => startPhone(options, name, kind)));
  await options.save();
  return phones;
}

async function startPhone(options: PhonesOptions, name: string, kind: TokenKind): Promise<Phone> {
  const { url, owner, state, simulator, onReceived } = options;
  const { email, api_key: apiKey } = owner;
  const client = createClient({ url, email, apiKey, userAgent: 'BellhopPhone/0.1' });
  const token = await tokenFor(options, client, { name, kind });
  const identity = state.phones[name]?.['identity'];
  const device = new Device({
    client,
    bouncerPublicKey: state.bouncer_public_key,
    token,
    ...(identity === undefined ? {} : { identity: JSON.parse(identity) as DeviceIdentity }),
  });
  const inbox: Received[] = [];
  const phone: Phone = {
    name,
    user_id: owner.user_id,
    push_account_id: device.identity.push_account_id,
    token_kind: kind,
    inbox,
  };
  simulator.connect(token.token, (notification) => {
    const appData = appDataOf(notification);
    const payload = device.receive(appData.received);
    const received = {
      seq: notification.seq,
      received_at: new Date().toISOString(),
      payload,
      encrypted_data: String(appData.fields['encrypted_data']),
    };
    inbox.push(received);
    onReceived(phone, received);
  });
  await device.register();
  state.phones[name] = { token: token.token, identity: JSON.stringify(device.identity) };
  return phone;
}

/** The token that the provider issued at an earlier start, or a new one. */
async function tokenFor(
  { state, simulator }: PhonesOptions,
  client: Client,
  { name, kind }: { readonly name: string; readonly kind: TokenKind },
): Promise<DeviceToken> {
  const known = state.phones[name]?.['token'];
  const device = known === undefined ? undefined : simulator.devices.find(known);
  if (device && (kind !== 'webpush' || device.token.startsWith(`${simulator.webpush_url}/`)))
    return deviceToken(kind, device);
  // A push service that has moved to another port: the browser subscribes anew, with its old account.
  if (device) await endRegistration(client, state.phones[name]?.['identity']);
  else delete state.phones[name];
  return deviceToken(kind, simulator.addDevice(newDevice(kind)));
}

async function endRegistration(client: Client, identity = ''): Promise<void> {
  const { push_account_id } = JSON.parse(identity) as DeviceIdentity;
  await client.devices
    .unregisterPush({ push_account_id: BigInt(push_account_id) })
    .catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'NO_ACTIVE_PUSH_DEVICE') throw error;
    });
}
