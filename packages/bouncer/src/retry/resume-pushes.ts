import type { App } from '../app.ts';
import { endDoubts } from '../devices/queries.ts';
import type { SenderApp } from '../health/deletion-guard.ts';
import type { Gateway } from '../providers/sender.ts';
import { wakeRetries } from './retry-push.ts';

/**
 * Sends what was queued for an app: ProviderHealth calls `onRecovery` when the provider is up again,
 * DeletionGuard calls `onTrust` when it is believed again.
 */
export const resumePushes = ({ database, now }: Pick<App, 'database' | 'now'>) => ({
  /** `app` is empty if all apps of the provider were paused. */
  onRecovery: ({ kind }: Gateway, app: string): Promise<void> =>
    wakeRetries(database, { kind, app: app === '' ? undefined : app, at: new Date(now()) }),
  onTrust: async ({ sender: { kind }, app }: SenderApp): Promise<void> => {
    await endDoubts(database.kysely, kind, app ?? '');
    await wakeRetries(database, { kind, app: app ?? '', at: new Date(now()) });
  },
});
