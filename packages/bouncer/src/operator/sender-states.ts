import type { App } from '../app.ts';
import { checkedApps } from '../health/sender-checks.ts';
import type { PushEnvironment } from '../storage/tables.ts';

/** The state of a sender in `/readyz`, in one environment, for one app. Times are UNIX seconds. */
export interface SenderState {
  readonly provider: string;
  readonly sender: string;
  readonly environment: PushEnvironment;
  /** Null: all apps of the sender. */
  readonly app: string | null;
  /**
   * - `works`: the latest check or notification was accepted.
   * - `unchecked`, `unreachable`: the provider has not answered yet.
   * - `paused`: overloaded; notifications wait until `until`.
   * - `broken`: does not accept credentials, app or clock; notifications wait for a repair.
   * - `doubted`: calls devices dead without being believed; their notifications wait.
   */
  readonly state: 'works' | 'unchecked' | 'unreachable' | 'paused' | 'broken' | 'doubted';
  readonly reason?: string | undefined;
  readonly until?: number | undefined;
  readonly checked_at?: number | undefined;
}

type Sources = Pick<App, 'senders' | 'states' | 'checks'>;

/** The state of every sender: of the apps that are listed for it, and of others with trouble. */
export async function senderStates(sources: Sources): Promise<SenderState[]> {
  const { senders, states, checks } = sources;
  const troubled = await states.troubled();
  const doubted = await states.doubted();
  return senders.all().flatMap((sender) => {
    const known = checkedApps(sender);
    const named = new Set(known.map(({ app }) => app ?? ''));
    const others = sender.gateways.flatMap((gateway) =>
      [...troubled, ...doubted]
        .filter(({ credentials }) =>
          [gateway.credentials, sender.credentials].some((hash) => hash.equals(credentials)),
        )
        .filter(({ app }) => !named.has(app))
        .map(({ app }) => ({ gateway, app })),
    );
    return [...known, ...others].map(({ gateway, app }): SenderState => {
      const check = checks.resultOf({ gateway, app });
      const about = {
        provider: gateway.kind,
        sender: sender.name,
        environment: gateway.environment,
        app,
        checked_at: check && seconds(check.at),
      };
      const row = troubled.find(
        (one) => one.credentials.equals(gateway.credentials) && one.app === (app ?? ''),
      );
      const reason = row?.reason ?? check?.reason;
      if (row?.alarm) return { ...about, state: 'broken', reason: `${row.alarm}: ${reason ?? ''}` };
      if (row?.paused_until)
        return { ...about, state: 'paused', reason, until: seconds(row.paused_until.getTime()) };
      const isDoubted = doubted.some(
        (one) => one.credentials.equals(sender.credentials) && one.app === (app ?? ''),
      );
      if (isDoubted) return { ...about, state: 'doubted' };
      return { ...about, state: check?.state ?? 'unchecked', reason: check?.reason };
    });
  });
}

const seconds = (ms: number) => Math.floor(ms / 1_000);
