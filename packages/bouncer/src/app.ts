import type { Outbound } from '@bellhop/http/outbound';
import type { Database } from '@bellhop/postgres';
import type { AnswerOf, Endpoint, ParamsOf, Traceparent } from '@bellhop/protocol/bouncer';
import type { Logger } from 'pino';

import type { BouncerConfig } from './config/bouncer-config.ts';
import type { RegistrationBatcher } from './devices/save-registrations.ts';
import type { DeletionGuard } from './health/deletion-guard.ts';
import type { ProviderHealth } from './health/provider-health.ts';
import type { ProviderStates } from './health/provider-states.ts';
import type { SenderChecks } from './health/sender-checks.ts';
import type { KeyRing } from './keys/key-ring.ts';
import type { Metrics } from './metrics.ts';
import type { Senders } from './providers/senders.ts';
import type { QuotaKeeper, QuotaRequest } from './quotas/quota-keeper.ts';
import type { RemoteServer } from './servers/queries.ts';
import type { Realms } from './servers/require-realm.ts';
import type { BouncerTables } from './storage/tables.ts';
import type { TraceLog } from './traces/trace-log.ts';

/** The services that every handler and job of the bouncer uses. */
export interface App {
  readonly database: Database<BouncerTables>;
  readonly keyRing: KeyRing;
  /** The current configuration: a reload replaces it. */
  readonly config: BouncerConfig;
  readonly senders: Senders;
  readonly states: ProviderStates;
  readonly health: ProviderHealth;
  readonly guard: DeletionGuard;
  readonly checks: SenderChecks;
  readonly quotas: QuotaKeeper;
  readonly realms: Realms;
  readonly registrations: RegistrationBatcher;
  /** Asks the hosts of chat servers. */
  readonly outbound: Outbound;
  readonly metrics: Metrics;
  readonly traces: TraceLog;
  readonly log: Logger;
  /** UNIX milliseconds. */
  readonly now: () => number;
  /** Aborts when the bouncer stops: notifications that are not under way are left in the queue. */
  readonly stopping: AbortSignal;
}

interface Call<E extends Endpoint> {
  readonly params: ParamsOf<E>;
  /** The calling chat server; undefined in operations that are open to anyone. */
  readonly server: E['access'] extends 'server' ? RemoteServer : undefined;
  /** The header `Idempotency-Key`, if the operation takes it and the caller sent it. */
  readonly idempotencyKey: string | undefined;
  /** Counts against quotas of the calling chat server. Throws RATE_LIMIT_HIT. */
  readonly spend: (spending: QuotaRequest) => Promise<void>;
  /** The span of this request, in the trace of the caller. */
  readonly traceparent: Traceparent;
  readonly app: App;
}
export type Handler<E extends Endpoint> = (call: Call<E>) => Promise<AnswerOf<E>>;

/** A handler for each operation of one resource of a contract. */
export type HandlersOf<R extends Readonly<Record<string, Endpoint>>> = {
  readonly [N in keyof R]: Handler<R[N]>;
};
