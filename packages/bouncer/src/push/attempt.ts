import type { TokenKind } from '@bellhop/protocol';

import type { App } from '../app.ts';
import type { NotificationVerdict, ProviderVerdict } from '../providers/provider-verdict.ts';
import { providers } from '../providers/providers.ts';
import type { Push } from './create-push.ts';
import { type Device, shortHash } from './queries.ts';

/** Seconds until a provider should know a token that was registered again. */
const REGISTRATION_DELAY = 300;

/**
 * Makes one attempt, counts it and logs anything but `accepted`. `number` counts from 0. Makes none while
 * the provider is paused or the device is in quarantine.
 */
export async function attempt<K extends TokenKind>(
  app: App,
  push: Push<K>,
  number: number,
): Promise<NotificationVerdict> {
  const { device, kind } = push;
  if (device.quarantined_until !== null && device.quarantined_until.getTime() > app.now())
    return { kind: 'quarantined', reason: 'in quarantine' };
  const { title, credential, appOf } = providers[kind];
  const connection = app.connections[kind];
  if (!connection)
    return { kind: 'unconfigured', reason: `${title} is not configured: set ${credential}` };
  const target = { kind, app: appOf(device) };
  const waitSeconds = await app.health.wait(target);
  if (waitSeconds !== undefined)
    return { kind: 'retry', reason: `${title} is paused`, after: waitSeconds };
  const startedAt = performance.now();
  const answer = keepRegistered(await connection.send(push, number), device);
  const seconds = (performance.now() - startedAt) / 1_000;
  const verdict = await app.health.learn(target, answer, number);
  app.metrics.attemptSeconds.observe({ provider: kind, verdict: verdict.kind }, seconds);
  record(app, push, { ...verdict, attempt: number });
  return verdict;
}

function record(
  { metrics, log }: App,
  { id, kind: provider, device }: Push,
  verdict: NotificationVerdict & { attempt: number },
): void {
  metrics.notifications.inc({ provider, verdict: verdict.kind });
  if (verdict.kind === 'dead') metrics.deadTokens.inc({ provider });
  if (verdict.kind === 'accepted') return;
  const { device_id } = device;
  const token = shortHash(device);
  log.info({ ...verdict, provider, push_id: id, device_id, token }, 'notification not accepted');
}

/** A token that died before its latest registration may be alive again: retries it. */
function keepRegistered(verdict: ProviderVerdict, device: Device): ProviderVerdict {
  const isOutdated =
    verdict.kind === 'dead' && verdict.since !== undefined && verdict.since < device.registered_at;
  return isOutdated
    ? {
        kind: 'retry',
        reason: `${verdict.reason} before the latest registration`,
        after: REGISTRATION_DELAY,
      }
    : verdict;
}
