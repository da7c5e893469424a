import type { TokenKind } from '@bellhop/protocol';

import type { App } from '../app.ts';
import type { ProviderVerdict } from '../providers/provider-verdict.ts';
import { providers } from '../providers/providers.ts';
import type { Push } from './create-push.ts';
import { type Device, shortHash } from './queries.ts';

/** Seconds until a provider should know a token that was registered again. */
const REGISTRATION_DELAY = 300;

/** Makes one attempt, counts it and logs anything but `accepted`. `number` counts from 0. */
export async function attempt(app: App, push: Push, number: number): Promise<ProviderVerdict> {
  const verdict = keepRegistered(await send(app, push, number), push.device);
  const provider = push.kind;
  app.metrics.notifications.inc({ provider, verdict: verdict.kind });
  if (verdict.kind === 'dead') app.metrics.deadTokens.inc({ provider });
  if (verdict.kind !== 'accepted') {
    const facts = {
      ...verdict,
      provider,
      push_id: push.id,
      device_id: push.device.device_id,
      token: shortHash(push.device),
      attempt: number,
    };
    if (verdict.kind === 'config_error')
      app.log.error(facts, 'the push provider does not accept the configuration');
    else app.log.info(facts, 'notification not accepted');
  }
  return verdict;
}

async function send<K extends TokenKind>(
  { connections, now }: App,
  push: Push<K>,
  number: number,
): Promise<ProviderVerdict> {
  const { quarantined_until } = push.device;
  if (quarantined_until !== null && quarantined_until.getTime() > now())
    return { kind: 'quarantined', reason: 'in quarantine' };
  const connection = connections[push.kind];
  if (connection) return connection.send(push, number);
  const { title, credential } = providers[push.kind];
  return { kind: 'config_error', reason: `${title} is not configured: set ${credential}` };
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
