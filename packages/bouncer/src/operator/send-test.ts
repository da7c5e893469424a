import type { TokenKind } from '@bellhop/protocol/bouncer';

import type { BouncerConfig } from '../config/bouncer-config.ts';
import type { Device } from '../devices/queries.ts';
import { probeProvider } from '../providers/probe-provider.ts';
import type { ProviderVerdict } from '../providers/provider-verdict.ts';
import { providers } from '../providers/providers.ts';
import { inOrderFor, type SenderConfig, senderFor } from '../providers/sender-config.ts';
import { type Operator, OperatorError } from './operator.ts';

export interface TestResult {
  readonly isAccepted: boolean;
  /** The outcome of the notification, and advice about it. */
  readonly lines: readonly string[];
}

/**
 * Sends a device one test notification. Nothing is stored: no verdict on it deletes a device. Throws an
 * OperatorError if there is no such device, or if its provider is not configured.
 */
export async function sendTest(
  { database, now }: Operator,
  config: BouncerConfig,
  deviceId: number,
): Promise<TestResult> {
  const device = await database.kysely
    .selectFrom('device')
    .selectAll()
    .where('device_id', '=', deviceId)
    .executeTakeFirst();
  if (!device) throw new OperatorError(`There is no device ${deviceId}.`);
  const { title, settings } = providers[device.token_kind];
  const startedAt = now();
  const verdict = await probe(config, device.token_kind, device);
  if (!verdict && config.senders[device.token_kind].length === 0)
    throw new OperatorError(`${title} is not configured: set ${settings.credential}.`);
  if (!verdict)
    throw new OperatorError(`No sender of ${title} serves the app of device ${deviceId}.`);
  const appId = device.ios_app_id ?? device.android_app_id;
  const app = appId === null ? '' : `, app ${appId}`;
  const notes = device.expired_at
    ? [`${title} has called its token invalid before, on ${day(device.expired_at)}.`]
    : [];
  return {
    isAccepted: verdict.kind === 'accepted',
    lines: [
      `Device ${deviceId}: ${title}${app}, registered on ${day(new Date(device.registered_at))}.`,
      ...notes,
      ...wordsFor(device.token_kind, verdict),
      `The answer took ${now() - startedAt} ms.`,
    ],
  };
}

/** Sends with the sender of the device's app, and in its environment. Undefined if there is no sender. */
async function probe<K extends TokenKind>(
  config: BouncerConfig,
  kind: K,
  device: Device,
): Promise<ProviderVerdict | undefined> {
  const senders: readonly SenderConfig<K>[] = config.senders[kind];
  const sender = senderFor(senders, providers[kind].appOf(device));
  let verdict: ProviderVerdict | undefined;
  for (const environment of inOrderFor(sender?.environments ?? [], device)) {
    verdict = await probeProvider(config, { kind, environment, device });
    if (verdict.kind !== 'dead' || !verdict.isOnlyHere) break;
  }
  return verdict;
}

const day = (date: Date) => date.toISOString().slice(0, 10);

function wordsFor(kind: TokenKind, verdict: ProviderVerdict): string[] {
  const { title, settings } = providers[kind];
  switch (verdict.kind) {
    case 'accepted': {
      const name = verdict.providerId === undefined ? '' : ` as ${verdict.providerId}`;
      return [
        `Accepted: ${title} took the notification${name}. The phone gets it when it is reachable.`,
      ];
    }
    case 'dead':
      return [
        `Dead: ${title} says that the token is invalid (${verdict.reason}). The app was removed, or the token is of another environment or project. A phone that lives registers again by itself.`,
      ];
    case 'quarantined':
      return [
        `Wrong app: ${title} says that the token belongs to another app (${verdict.reason}). Check team and app.`,
      ];
    case 'config_error':
      return [
        `Configuration: ${title} does not accept the bouncer (${verdict.reason}).`,
        verdict.at === 'clock'
          ? 'Set the clock of this machine.'
          : `Check ${settings.credential} and the variables beside it, or the apps file: "bellhop bouncer doctor".`,
      ];
    case 'retry':
    case 'overloaded':
      return [
        `Not now: ${title} did not take the notification (${verdict.reason}). The bouncer would try again after ${Math.ceil(verdict.after)} s.`,
      ];
    default:
      return [`Refused: ${title} does not accept this notification (${verdict.reason}).`];
  }
}
