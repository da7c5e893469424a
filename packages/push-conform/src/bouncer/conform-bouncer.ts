import { runChecks } from '../check.ts';
import type { Finding, RunOptions } from '../finding.ts';
import { BouncerTarget, type BouncerOptions } from './bouncer-target.ts';
import { browserChecks } from './browser-checks.ts';
import { deviceChecks } from './device-checks.ts';
import { notifyChecks } from './notify-checks.ts';
import { serverChecks } from './server-checks.ts';

/**
 * Plays a chat server, with phones of a simulator, against the bouncer at `url`, and says which rules of
 * the protocol it breaks. Registers a server and a realm there that nobody else uses.
 */
export async function conformBouncer(
  url: string,
  { onFinding, signal, ...options }: BouncerOptions & RunOptions,
): Promise<Finding[]> {
  const target = new BouncerTarget(url, options);
  try {
    return await runChecks([serverChecks, deviceChecks, notifyChecks, browserChecks], target, {
      ...(onFinding ? { onFinding } : {}),
      ...(signal ? { signal } : {}),
    });
  } finally {
    await target.simulator.uninstallAll().catch(() => undefined);
  }
}
