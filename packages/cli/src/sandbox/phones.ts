import { createClient } from '@bellhop/client';
import { Device, type DeviceIdentity, type DeviceToken } from '@bellhop/device';
import { needsAppId, type PushPayload, type TokenKind, type UserId } from '@bellhop/protocol';
import { appDataOf, type PushSimulator } from '@bellhop/push-simulator';

import type { SandboxUser } from './seed.ts';
import type { State } from './state-file.ts';

const APP_ID = 'org.bellhop.phone';
const models = [
  { name: 'Android phone', kind: 'fcm' },
  { name: 'iPhone', kind: 'apns' },
] as const;

const deviceTokens: { [K in TokenKind]: (token: string) => DeviceToken & { kind: K } } = {
  fcm: (token) => ({ kind: 'fcm', token }),
  apns: (token) => ({ kind: 'apns', token, iosAppId: APP_ID }),
};

/** Something a phone got and could open, with the sealed form it travelled in. */
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

interface Where {
  readonly url: string;
  readonly owner: SandboxUser;
  readonly state: State;
  readonly save: () => Promise<void>;
  readonly simulator: PushSimulator;
  readonly onReceived: (phone: Phone, received: Received) => void;
}

/** Two phones of one person, each registered with the server and listening to its provider. */
export async function startPhones(where: Where): Promise<Phone[]> {
  const phones = await Promise.all(models.map(({ name, kind }) => startPhone(where, name, kind)));
  await where.save();
  return phones;
}

async function startPhone(where: Where, name: string, kind: TokenKind): Promise<Phone> {
  const { url, owner, state, simulator, onReceived } = where;
  const token = tokenFor(where, name, kind);
  const saved = state.phones[name]?.['identity'];
  const device = new Device({
    client: createClient({
      url,
      email: owner.email,
      apiKey: owner.api_key,
      userAgent: 'BellhopPhone/0.1',
    }),
    bouncerPublicKey: state.bouncer_public_key,
    token,
    ...(saved === undefined ? {} : { identity: JSON.parse(saved) as DeviceIdentity }),
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

/** The token the provider issued at an earlier start, or a new one. */
function tokenFor({ state, simulator }: Where, name: string, kind: TokenKind): DeviceToken {
  const known = state.phones[name]?.['token'];
  const token =
    known !== undefined && simulator.devices.find(known)
      ? known
      : simulator.addDevice({ kind, ...(needsAppId(kind) ? { app_id: APP_ID } : {}) }).token;
  if (token !== known) delete state.phones[name];
  return deviceTokens[kind](token);
}
