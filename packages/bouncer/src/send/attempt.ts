import type { TokenKind } from '@bellhop/protocol/bouncer';

import type { App } from '../app.ts';
import { type Device } from '../devices/queries.ts';
import { shortHash } from '../devices/token-hash.ts';
import { type LinkNotes } from '../providers/link-notes.ts';
import type { NotificationVerdict, ProviderVerdict } from '../providers/provider-verdict.ts';
import { providers } from '../providers/providers.ts';
import { inOrderFor } from '../providers/sender-config.ts';
import type { Gateway, Sender } from '../providers/sender.ts';
import { linkAttempt } from '../traces/trace-entry.ts';
import type { Push } from './create-push.ts';
import { judgeDevice } from './judge-device.ts';

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
  const notes: LinkNotes = {};
  const started = app.now();
  const verdict = await attemptOnce(app, push, number, notes);
  const ended = { number, started, answered: app.now(), notes, verdict };
  push.attempts.push(linkAttempt({ ...ended, app: providers[push.kind].appOf(push.device) }));
  return verdict;
}

async function attemptOnce<K extends TokenKind>(
  app: App,
  push: Push<K>,
  number: number,
  notes: LinkNotes,
): Promise<NotificationVerdict> {
  const { device, kind } = push;
  const quarantineMs = (device.quarantined_until?.getTime() ?? 0) - app.now();
  if (quarantineMs > 0 && !device.is_doubted)
    return { kind: 'quarantined', reason: 'in quarantine', isMismatch: device.is_mismatched };
  const appId = providers[kind].appOf(device);
  const sender = app.senders.find(kind, appId);
  if (!sender) return unconfigured(app, kind, appId);
  // Another node may have ended the doubt just before the device was marked.
  if (quarantineMs > 0 && (await app.guard.isDoubted({ sender, app: appId })))
    return { ...DOUBTED, after: quarantineMs / 1_000 };
  const { answer, gateway } = await send(app, { push, sender, number, notes });
  const verdict = await judgeDevice(app, { device, gateway, sender, answer, number });
  record(app, push, { ...verdict, attempt: number });
  return verdict;
}

const DOUBTED = {
  kind: 'retry',
  reason: 'in quarantine: the provider calls the device dead and is not believed yet',
  cause: 'doubted',
} as const;

interface Attempt<K extends TokenKind> {
  readonly push: Push<K>;
  readonly sender: Sender<K>;
  readonly number: number;
  readonly notes: LinkNotes;
}
interface AnsweredAttempt<K extends TokenKind> {
  readonly answer: NotificationVerdict;
  /** The gateway that answered; undefined if a pause prevented the request. */
  readonly gateway: Gateway<K> | undefined;
}

/**
 * Sends to the environment of the device. If this environment does not know the token, sends to the
 * other one, which may.
 */
async function send<K extends TokenKind>(
  app: App,
  { push, sender, number, notes }: Attempt<K>,
): Promise<AnsweredAttempt<K>> {
  const { device, kind } = push;
  const { title, appOf } = providers[kind];
  let result: AnsweredAttempt<K> | undefined;
  for (const gateway of inOrderFor(sender.gateways, device)) {
    const target = { gateway, app: appOf(device) };
    const wait = await app.health.wait(target);
    if (wait) {
      const reason = `${title} is paused`;
      const { seconds: after, cause } = wait;
      return {
        answer: { kind: 'retry', reason, after, cause, pause: gateway.environment },
        gateway: undefined,
      };
    }
    const startedAt = performance.now();
    notes.environment = gateway.environment;
    const told = keepRegistered(await gateway.connection.send(push, number, notes), device);
    const seconds = (performance.now() - startedAt) / 1_000;
    const asked = { hash: device.token_hash.toString('base64'), attempt: number };
    const answer = await app.health.learn(target, told, asked);
    app.metrics.attemptSeconds.observe({ provider: kind, verdict: answer.kind }, seconds);
    result = { answer, gateway };
    if (result.answer.kind !== 'dead' || !result.answer.isOnlyHere) break;
  }
  if (!result) throw new Error(`the sender ${sender.name} has no environment`);
  return result;
}

function unconfigured(
  { senders }: App,
  kind: TokenKind,
  appId: string | null,
): NotificationVerdict {
  const { title, settings } = providers[kind];
  const reason = senders.isConfigured(kind)
    ? `the bouncer has no ${title} credentials for the app ${appId ?? 'of phones that name none'}`
    : `${title} is not configured: set ${settings.credential}`;
  return { kind: 'unconfigured', reason };
}

function record(
  { metrics, log }: App,
  { id, kind: provider, device, trace_id }: Push,
  verdict: NotificationVerdict & { attempt: number },
): void {
  metrics.notifications.inc({ provider, verdict: verdict.kind });
  if (verdict.kind === 'dead') metrics.deadTokens.inc({ provider });
  const about = { provider, push_id: id, device_id: device.device_id, trace_id };
  if (verdict.kind === 'accepted') log.debug({ ...verdict, ...about }, 'notification accepted');
  else log.info({ ...verdict, ...about, token: shortHash(device) }, 'notification not accepted');
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
