import { createClient } from '@bellhop/client';
import { Device, RegistrationRefused, type RefusalCode } from '@bellhop/device';
import { type TokenKind, WebPushKeys } from '@bellhop/protocol';
import { type Notification } from '@bellhop/push-simulator';
import { z } from 'zod';

import { rethrowAsUserError, UserError } from '../command-line/user-error.ts';
import { deviceToken } from '../sandbox/device-token.ts';
import { controlClient, type ControlClient } from '../simulator/control-client.ts';
import type { PhoneEntry } from './phone-book.ts';

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
export const clientOf = ({
  server_url: url,
  email,
  api_key: apiKey,
}: Pick<PhoneEntry, 'server_url' | 'email' | 'api_key'>) =>
  createClient({ url, email, apiKey, userAgent: 'BellhopPhone/0.1' });

/** The app on the phone, with the keys of the entry. */
export function deviceOf(entry: PhoneEntry): Device {
  const { kind, bouncer_public_key: bouncerPublicKey, identity } = entry;
  return new Device({
    client: clientOf(entry),
    token: deviceToken(kind, entry),
    bouncerPublicKey,
    identity,
  });
}

const devicePath = ({ token }: Pick<PhoneEntry, 'token'>) =>
  `/devices/${encodeURIComponent(token)}`;

/** Installs the app on a phone of the simulator, which gives it a token. */
export async function installApp(simulator: ControlClient, kind: TokenKind, app?: string) {
  const body = { kind, ...(app === undefined ? {} : { app_id: app }) };
  return SimulatedDevice.parse(await simulator.call('POST', '/devices', { body }));
}

/** Removes the app. The provider notices after `noticedAfterMs`. */
export async function uninstallApp(
  entry: PhoneEntry,
  { reason = 'Unregistered', noticedAfterMs = 0 } = {},
): Promise<void> {
  const query = new URLSearchParams({ reason, noticed_after_ms: String(noticedAfterMs) });
  await controlClient(entry.simulator).call('DELETE', `${devicePath(entry)}?${query.toString()}`);
}

export async function setOnline(entry: PhoneEntry, online: boolean): Promise<void> {
  await controlClient(entry.simulator).call('PATCH', devicePath(entry), { body: { online } });
}

/** The state of the phone at its provider; undefined if the simulator has forgotten it. */
export async function stateAtProvider(entry: PhoneEntry) {
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

/** Registers the phone with the chat server. Throws a UserError with the reason of a refusal. */
export async function registerPhone(entry: PhoneEntry): Promise<void> {
  await deviceOf(entry)
    .register()
    .catch((error: unknown) => {
      if (!(error instanceof RegistrationRefused)) return rethrowAsUserError(error);
      const { code, detail = advice[code] } = error;
      throw new UserError(`The bouncer refused the phone: ${code}, ${detail}.`);
    });
}
