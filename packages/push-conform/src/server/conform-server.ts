import { runChecks } from '../check.ts';
import type { Finding, RunOptions } from '../finding.ts';
import { browserChecks } from './browser-checks.ts';
import { lifeChecks } from './life-checks.ts';
import { notificationChecks } from './notification-checks.ts';
import { registrationChecks } from './registration-checks.ts';
import { type ServerOptions, ServerTarget } from './server-target.ts';

/**
 * Plays phones of a simulator against the chat server at `url`, and says which rules of the protocol it
 * breaks. Sends the user a few direct messages if there is a sender.
 */
export async function conformServer(
  url: string,
  { onFinding, signal, ...options }: ServerOptions & RunOptions,
): Promise<Finding[]> {
  const target = new ServerTarget(url, options);
  try {
    return await runChecks(
      [registrationChecks, notificationChecks, lifeChecks, browserChecks],
      target,
      {
        ...(onFinding ? { onFinding } : {}),
        ...(signal ? { signal } : {}),
      },
    );
  } finally {
    await target.simulator.uninstallAll().catch(() => undefined);
  }
}
