import { randomUUID } from 'node:crypto';

import { tokenId } from '@bellhop/push-crypto';

import type { Finding, RunOptions } from '../finding.ts';
import { runGenerations } from '../generations.ts';
import { type ProbeResponse, requireAccess } from '../send.ts';
import { BouncerTarget, type BouncerOptions, newOrg } from './bouncer-target.ts';
import { browserChecks } from './browser-checks.ts';
import { accountChecks, tokenChecks } from './device-checks.ts';
import { notifyChecks, tokenNotifyChecks } from './notify-checks.ts';
import { serverChecks } from './server-checks.ts';

/** A bouncer without the generation takes a phone only if it has the name of the other generation, too. */
async function missing(target: BouncerTarget): Promise<ProbeResponse | undefined> {
  await target.registerServer();
  await target.announce();
  const phone = await target.newPhone('fcm');
  const answer = await target.registerPhone(phone);
  if (answer.status !== 400) return undefined;
  const names = { push_account_id: phone.accountId, token_id: tokenId(phone.token) };
  return (await target.registerPhone(phone, names)).status === 200 ? answer : undefined;
}

/**
 * Plays a chat server, with phones of a simulator, against the bouncer at `url`, and says which rules of
 * the protocol it breaks. Registers a server and a realm there that nobody else uses. Rejects with
 * `CannotStart` before the first check if the bouncer or the simulator does not answer, the simulator refuses
 * its token, or the bouncer lets the chat server not register.
 */
export async function conformBouncer(
  url: string,
  { onFinding, signal, generation, ...options }: BouncerOptions & RunOptions,
): Promise<Finding[]> {
  const server = { ...options, org: options.org ?? newOrg(), realm: randomUUID() };
  const accounts = new BouncerTarget(url, server, 'account');
  const devices = new BouncerTarget(url, server, 'device');
  signal?.throwIfAborted();
  await accounts.simulator.requireAccess(accounts.timeoutMs);
  await requireAccess('bouncer', 'org', () => accounts.registerServer());
  try {
    return await runGenerations(
      {
        account: {
          target: accounts,
          groups: [accountChecks, notifyChecks, browserChecks],
          missing,
        },
        device: {
          target: devices,
          groups: [tokenChecks, notifyChecks, tokenNotifyChecks],
          missing,
        },
      },
      {
        ...(onFinding ? { onFinding } : {}),
        ...(signal ? { signal } : {}),
        ...(generation ? { generation } : {}),
      },
      [serverChecks],
    );
  } finally {
    for (const { simulator } of [accounts, devices])
      await simulator.uninstallAll().catch(() => undefined);
  }
}
