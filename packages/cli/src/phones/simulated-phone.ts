import { rethrowAsUserError, UserError } from '@bellhop/bot-cli/command-line';
import { createClient } from '@bellhop/client';
import {
  addClientDevice,
  Device,
  type DeviceIdentity,
  type DeviceToken,
  newIdentity,
  RegistrationRefused,
  type RefusalCode,
} from '@bellhop/device';
import { ApiError, type PushGeneration, type TokenKind, WebPushKeys } from '@bellhop/protocol';
import { type Notification, webPushKeysOf } from '@bellhop/push-simulator';
import { z } from 'zod';

import { controlClient } from '../simulator/control-client.ts';
import type { SimulatorFile } from '../simulator/simulator-file.ts';
import type { PhoneEntry } from './phone-store.ts';

/** A phone as the simulator shows it. */
const SimulatedDevice = z.object({
  token: z.string(),
  app_id: z.string(),
  subscription: WebPushKeys.nullable(),
  online: z.boolean(),
  uninstalled: z.object({ reason: z.string() }).nullable(),
});
const SimulatedDevices = z.object({ devices: z.array(SimulatedDevice) });
const Notifications = z.object({ notifications: z.array(z.custom<Notification>()) });

/** The owner's connection to the chat server. */
export const clientOf = ({ server_url: url, email, api_key: apiKey }: ChatLogin) =>
  createClient({ url, email, apiKey, userAgent: 'BellhopPhone/0.1' });
type ChatLogin = Pick<PhoneEntry, 'server_url' | 'email' | 'api_key'>;

/** A new identity; the chat server gives that of a device. Throws a UserError. */
export async function createIdentity(
  login: ChatLogin,
  generation: PushGeneration,
): Promise<DeviceIdentity> {
  if (generation === 'account') return newIdentity();
  return addClientDevice(clientOf(login)).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== 404) rethrowAsUserError(error);
    throw new UserError(
      `${login.server_url} has no POST /register_client_device: its feature level is below 468. Use --generation account.`,
    );
  });
}

/** The numbers by which the chat server names the phone. */
export const numbersOf = (identity: DeviceIdentity) => ({
  push_account_id: 'device_id' in identity ? null : identity.push_account_id,
  device_id: 'device_id' in identity ? identity.device_id : null,
});

/** The number as parameters of the chat server have it. */
export const serverNumberOf = (identity: DeviceIdentity) =>
  'device_id' in identity
    ? { device_id: identity.device_id }
    : { push_account_id: BigInt(identity.push_account_id) };

/** An identity in words: the numbers by which traces of the chat server name it. */
export const identityText = (identity: DeviceIdentity): string =>
  'device_id' in identity
    ? `device ${identity.device_id}, key ${identity.key.push_key_id}`
    : `account ${identity.push_account_id}`;

/** The app on the phone, with the keys of the entry. */
export function deviceOf(entry: PhoneEntry): Device<DeviceIdentity> {
  const { bouncer_public_key: bouncerPublicKey, identity } = entry;
  return new Device<DeviceIdentity>({
    client: clientOf(entry),
    token: deviceTokens[entry.kind](entry),
    bouncerPublicKey,
    identity,
  });
}

const deviceTokens: { [K in TokenKind]: (entry: PhoneEntry) => DeviceToken & { kind: K } } = {
  fcm: ({ token, android_app_id }) => ({ kind: 'fcm', token, androidAppId: android_app_id }),
  apns: ({ token, app_id }) => ({ kind: 'apns', token, iosAppId: app_id }),
  webpush({ token, subscription }) {
    if (!subscription) throw new UserError('The simulated browser has no keys: remove it.');
    return { kind: 'webpush', token, keys: webPushKeysOf(subscription) };
  },
};

const devicePath = ({ token }: Pick<PhoneEntry, 'token'>) =>
  `/devices/${encodeURIComponent(token)}`;

/** Installs the app on a phone of the simulator, which gives it a token. */
export async function installApp(simulator: SimulatorFile, kind: TokenKind, app?: string) {
  const body = { kind, ...(app === undefined ? {} : { app_id: app }) };
  return SimulatedDevice.parse(await controlClient(simulator).call('POST', '/devices', { body }));
}

type PhoneWithApp = Pick<PhoneEntry, 'name' | 'token' | 'simulator'>;

/** How an app is removed: the reason in Apple's answers, and how long the provider does not notice. */
export interface Uninstall {
  readonly reason?: 'Unregistered' | 'ExpiredToken';
  readonly noticedAfterMs?: number;
}

/** Removes the app. Throws a UserError if that was done already. */
export async function uninstallApp(
  entry: PhoneWithApp,
  { reason = 'Unregistered', noticedAfterMs = 0 }: Uninstall = {},
): Promise<void> {
  await requireApp(entry);
  const query = new URLSearchParams({ reason, noticed_after_ms: String(noticedAfterMs) });
  await controlClient(entry.simulator).call('DELETE', `${devicePath(entry)}?${query.toString()}`);
}

/** Throws a UserError if the app is removed. */
export async function setOnline(entry: PhoneEntry, online: boolean): Promise<void> {
  await requireApp(entry);
  await controlClient(entry.simulator).call('PATCH', devicePath(entry), { body: { online } });
}

async function requireApp(entry: PhoneWithApp): Promise<void> {
  if (await hasApp(entry)) return;
  throw new UserError(`The app is removed from ${entry.name}: new keys install it again.`);
}

/** Whether the provider knows the phone with the app on it. */
export async function hasApp(entry: PhoneWithApp): Promise<boolean> {
  return (await stateAtProvider(entry))?.uninstalled === null;
}

/** The state of the phone at its provider; undefined if the simulator has forgotten it. */
export async function stateAtProvider(entry: PhoneWithApp) {
  const answer = await controlClient(entry.simulator).call('GET', '/devices');
  const { devices } = SimulatedDevices.parse(answer);
  return devices.find(({ token }) => token === entry.token);
}

/**
 * How long one request for notifications waits. A watcher notices a rotation after at most this
 * time.
 */
const WAIT_SECONDS = 5;

/** The notifications after `seq`; with `signal` it waits a moment for one. */
export async function notificationsAfter(
  entry: PhoneEntry,
  seq: number,
  signal?: AbortSignal,
): Promise<Notification[]> {
  const wait = signal === undefined ? 0 : WAIT_SECONDS;
  const path = `${devicePath(entry)}/notifications?after=${seq}&wait=${wait}`;
  const simulator = controlClient(entry.simulator);
  const answer = await simulator.call('GET', path, signal === undefined ? {} : { signal });
  return Notifications.parse(answer).notifications;
}

/** For servers that send no message. */
const advice: Readonly<Record<RefusalCode, string>> = {
  INVALID_BOUNCER_PUBLIC_KEY: "the bouncer does not have this key: look at the server's bouncer",
  REQUEST_EXPIRED: 'the registration is older than a day: is the clock of this machine right?',
  BAD_REQUEST: 'the bouncer cannot read the registration',
};

const REGISTRATION_MS = 20_000;

/**
 * Registers the phone with the chat server. Throws a UserError with the reason of a refusal, or if there is no
 * verdict in time; the server tries no further then, except for a device, which it pushes to meanwhile by
 * the token before.
 */
export async function registerPhone(entry: PhoneEntry): Promise<void> {
  await deviceOf(entry)
    .register({ timeoutMs: REGISTRATION_MS })
    .catch(async (error: unknown) => {
      if (error instanceof RegistrationRefused) {
        const { code, detail = advice[code] } = error;
        throw new UserError(`The bouncer refused the phone: ${code}, ${detail}.`);
      }
      if (!(error instanceof DOMException) || error.name !== 'TimeoutError')
        return rethrowAsUserError(error);
      // The server would go on for a day, and register a phone that nobody keeps.
      if (!('device_id' in entry.identity)) await endRegistration(entry);
      throw new UserError(undecided(entry));
    });
}

/** The protocol has no reason for a registration that waits: only the log of the server has it. */
const undecided = ({ server_url }: PhoneEntry) =>
  `${server_url} could not register the phone within ${REGISTRATION_MS / 1000} seconds: its push bouncer ` +
  `does not answer, does not accept the server, or has no room for another device. The log of the chat ` +
  `server has the reason ("a device could not be registered yet"); "bellhop bouncer servers show" has the ` +
  'quotas.';

/** Ends the registration, if there is one: of a device all of it. Throws a UserError. */
export async function endRegistration(entry: PhoneEntry): Promise<void> {
  const { devices } = clientOf(entry);
  const { identity } = entry;
  const [ending, isEnded] =
    'device_id' in identity
      ? ([devices.removeClientDevice({ device_id: identity.device_id }), 'BAD_REQUEST'] as const)
      : ([
          devices.unregisterPush({ push_account_id: BigInt(identity.push_account_id) }),
          'NO_ACTIVE_PUSH_DEVICE',
        ] as const);
  await ending.catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== isEnded) rethrowAsUserError(error);
  });
}
