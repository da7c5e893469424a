import type { App } from '../app.ts';
import { providers } from '../providers/providers.ts';
import type { UnfinishedPush } from '../send/deliver.ts';
import { wakeRetries } from './retry-push.ts';

/**
 * Wakes notifications whose pause or doubt ended before they were in the queue: the node that ended it has
 * woken only what it found there. Call it when they are committed.
 */
export async function wakeRecovered(app: App, queued: readonly UnfinishedPush[]): Promise<void> {
  const waiting = new Map(
    queued.flatMap(({ push: { kind, device }, pause, cause }) => {
      const isDoubted = cause === 'doubted';
      if (!pause && !isDoubted) return [];
      const appId = providers[kind].appOf(device);
      const reason = { kind, pause, isDoubted, appId };
      return [[Object.values(reason).join(' '), reason] as const];
    }),
  );
  const wake = [...waiting.values()].map(async (reason) => {
    const { kind, appId } = reason;
    if (await isWaiting(app, reason)) return;
    await wakeRetries(app.database, { kind, app: appId ?? '', at: new Date(app.now()) });
  });
  await Promise.all(wake).catch((error: unknown) =>
    app.log.warn({ err: error }, 'queued notifications were not woken after a pause or doubt'),
  );
}

type WaitReason = Pick<UnfinishedPush, 'pause'> & {
  readonly kind: UnfinishedPush['push']['kind'];
  readonly isDoubted: boolean;
  readonly appId: string | null;
};

/** Whether what the notifications wait for is still so; also if their sender is gone. */
async function isWaiting(
  { senders, guard, health }: App,
  { kind, pause, isDoubted, appId }: WaitReason,
): Promise<boolean> {
  const sender = senders.find(kind, appId);
  if (!sender) return true;
  if (isDoubted) return guard.isDoubted({ sender, app: appId });
  const gateway = sender.gateways.find(({ environment }) => environment === pause);
  return !gateway || health.isPaused({ gateway, app: appId });
}
