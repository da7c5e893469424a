import { type ClientOf, createClientFor } from '@bellhop/client';
import { bouncer as contract, type Bouncer } from '@bellhop/protocol';

import type { Config } from '../../config.ts';
import type { App } from '../../engine/app.ts';
import { hostProofToken } from '../../model/devices/host-proof.ts';

/**
 * Takes this server's host name from another registration with the bouncer: proves that the host is ours,
 * which gives us the other registration, and deactivates it. Its realms can then be announced by this
 * server, with their secrets.
 */
export async function claimHostName(
  { bouncer, config, secrets, log, now }: App,
  options: { signal?: AbortSignal },
): Promise<void> {
  if (!bouncer || !config.bouncer) return;
  const hostname = new URL(config.externalUrl).host;
  const { verification_secret } = await bouncer.servers.transfer({ hostname }, options);
  const access_token = hostProofToken(secrets, verification_secret, now());
  const other = await bouncer.servers.verifyChallenge({ hostname, access_token }, options);
  await clientAs(config.bouncer, other).servers.deactivate({}, options);
  log.warn(
    { server: other.zulip_org_id },
    'push bouncer: another registration had our host name, and is deactivated',
  );
}

const clientAs = (
  { url }: NonNullable<Config['bouncer']>,
  { zulip_org_id, zulip_org_key }: { zulip_org_id: string; zulip_org_key: string },
): ClientOf<Bouncer> =>
  createClientFor(contract, {
    url,
    email: zulip_org_id,
    apiKey: zulip_org_key,
    prefix: '/api/v1/remotes',
  });
