import type { Logger } from 'pino';

import type { ProviderVerdict } from '../providers/provider-verdict.ts';
import { providers } from '../providers/providers.ts';
import type { Gateway, Sender } from '../providers/sender.ts';
import type { GatewayApp, ProviderHealth } from './provider-health.ts';

interface SenderChecksOptions {
  readonly senders: () => readonly Sender[];
  readonly health: ProviderHealth;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** UNIX milliseconds. */
  readonly now: () => number;
}

export interface CheckResult {
  readonly state: 'works' | 'broken' | 'unreachable';
  readonly reason: string | undefined;
  /** UNIX milliseconds. */
  readonly at: number;
}

/**
 * Checks the credentials of every sender by a request that reaches no phone. Refused credentials
 * are paused and raise an alarm, like after a notification; no result permits deletions.
 */
export class SenderChecks {
  readonly #options: SenderChecksOptions;
  readonly #results = new WeakMap<Gateway['connection'], Map<string | null, CheckResult>>();

  constructor(options: SenderChecksOptions) {
    this.#options = options;
  }

  /** Undefined before the first check. */
  resultOf({ gateway, app }: GatewayApp): CheckResult | undefined {
    return this.#results.get(gateway.connection)?.get(app);
  }

  /** Checks the gateways whose connections were not checked before, each for its apps. Never rejects. */
  async run(): Promise<void> {
    const targets = this.#options
      .senders()
      .flatMap(checkedApps)
      .filter(({ gateway }) => 'check' in gateway.connection);
    await Promise.all(
      targets
        .filter((target) => this.resultOf(target)?.state !== 'works')
        .map((target) => this.#check(target)),
    );
  }

  async #check(target: GatewayApp): Promise<void> {
    const { health, log, now } = this.#options;
    const { gateway, app } = target;
    const verdict = await gateway.connection.check?.(app);
    if (!verdict) return;
    const learnt = await health.learn(target, verdict).catch((error: unknown) => {
      log.warn({ err: error }, 'the check of a sender was not recorded');
      return verdict;
    });
    const result = { ...resultOf(verdict, learnt), at: now() };
    const results = this.#results.get(gateway.connection) ?? new Map<string | null, CheckResult>();
    this.#results.set(gateway.connection, results.set(app, result));
    const { kind: provider, sender, environment } = gateway;
    const about = {
      provider,
      sender,
      environment,
      app,
      state: result.state,
      reason: result.reason,
    };
    if (result.state === 'works') log.info(about, 'the provider accepts the credentials');
    else log.warn(about, 'the check of the credentials failed');
  }
}

/** The gateways of a sender, each for the apps that its provider accepts or refuses one by one. */
export const checkedApps = ({ kind, apps, gateways }: Sender): GatewayApp[] => {
  const judged = providers[kind].judgesByApp && apps ? apps : [null];
  return gateways.flatMap((gateway) => judged.map((app) => ({ gateway, app })));
};

function resultOf(verdict: ProviderVerdict, learnt: ProviderVerdict): Omit<CheckResult, 'at'> {
  const reason = 'reason' in verdict ? verdict.reason : undefined;
  if (verdict.kind === 'accepted') return { state: 'works', reason };
  if (verdict.kind === 'retry' || verdict.kind === 'overloaded')
    return { state: 'unreachable', reason };
  return { state: learnt.kind === 'rejected' ? 'unreachable' : 'broken', reason };
}
