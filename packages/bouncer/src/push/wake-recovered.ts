import type { App } from '../app.ts';
import { providers } from '../providers/providers.ts';
import type { UnfinishedPush } from './deliver.ts';
import { wakeRetries } from './retry-push.ts';

/**
 * Wakes notifications whose pause ended before they were in the queue: the node that ended it has woken
 * only what it found there. Call it when they are committed.
 */
export async function wakeRecovered(app: App, queued: readonly UnfinishedPush[]): Promise<void> {
  const waiting = new Map(
    queued.flatMap(({ push: { kind, device }, pause }) => {
      if (!pause) return [];
      const appId = providers[kind].appOf(device);
      return [[`${kind} ${pause} ${appId}`, { kind, pause, appId }] as const];
    }),
  );
  const wake = [...waiting.values()].map(async ({ kind, pause, appId }) => {
    const sender = app.senders.find(kind, appId);
    const gateway = sender?.gateways.find(({ environment }) => environment === pause);
    if (!gateway || (await app.health.isPaused({ gateway, app: appId }))) return;
    await wakeRetries(app.database, { kind, app: appId ?? '', at: new Date(app.now()) });
  });
  await Promise.all(wake).catch((error: unknown) =>
    app.log.warn({ err: error }, 'queued notifications were not woken after a pause'),
  );
}
