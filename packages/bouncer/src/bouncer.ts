import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

import {
  type Exchange,
  metricsPage,
  rateLimitByAddress,
  RunningOperations,
  serveContract,
  type Service,
  sitePages,
} from '@bellhop/http';
import { createOutbound, type Outbound } from '@bellhop/http/outbound';
import { startJobs } from '@bellhop/jobs';
import {
  asApiError,
  batchedReads,
  type Database,
  readiness,
  watchDatabase,
} from '@bellhop/postgres';
import {
  ApiError,
  bouncer as contract,
  bouncerV1,
  continueTrace,
  type TokenKind,
  traceIdOf,
  type Traceparent,
} from '@bellhop/protocol/bouncer';
import { sql } from 'kysely';
import type { Logger } from 'pino';

import type { App } from './app.ts';
import type { BouncerConfig } from './config/bouncer-config.ts';
import { registrationBatcher } from './devices/save-registrations.ts';
import { measure } from './gauges.ts';
import { DeletionGuard } from './health/deletion-guard.ts';
import { ProviderHealth } from './health/provider-health.ts';
import { ProviderStates } from './health/provider-states.ts';
import { SenderChecks } from './health/sender-checks.ts';
import { openKeyRing } from './keys/key-ring.ts';
import { createMetrics } from './metrics.ts';
import { operations } from './operations.ts';
import { serveOperator } from './operator-api/serve-operator.ts';
import { senderStates } from './operator/sender-states.ts';
import { byTokenKind } from './providers/by-token-kind.ts';
import { providers } from './providers/providers.ts';
import { Senders } from './providers/senders.ts';
import { QuotaKeeper, type QuotaRequest } from './quotas/quota-keeper.ts';
import { resumePushes } from './retry/resume-pushes.ts';
import { retryJobs } from './retry/retry-push.ts';
import { admission } from './servers/admit.ts';
import { realmsByUuid, type RemoteServer } from './servers/queries.ts';
import { warnOfRegistration } from './servers/warn-of-registration.ts';
import type { BouncerTables } from './storage/tables.ts';
import { TraceLog } from './traces/trace-log.ts';
import { upkeep } from './upkeep.ts';

export * from './config/bouncer-config.ts';
export { migrations } from './migrations.ts';
export { SealedKeyError } from './keys/require-openable.ts';
export type { Outbound } from '@bellhop/http/outbound';
export type * from './exported-types.ts';

export interface BouncerOptions {
  readonly database: Database<BouncerTables>;
  readonly config: BouncerConfig;
  readonly log: Logger;
  /** UNIX milliseconds. */
  readonly now?: () => number;
  /** Asks the hosts of chat servers. Default: public addresses only. */
  readonly outbound?: Outbound;
}
export interface Bouncer {
  /** Serves `/api/v1/remotes`, `/v1`, `/v1/admin`, `/api/docs`, `/livez` and `/readyz`. */
  readonly listener: (request: IncomingMessage, response: ServerResponse) => void;
  /** Serves `/metrics`, for an address that only the operator reaches. */
  readonly metrics: RequestListener;
  /** From now on `/readyz` answers 503: a proxy sends new requests elsewhere. */
  readonly leave: () => void;
  /**
   * Waits for the requests and retries under way, a second or two, and closes the connections to the
   * providers. Notifications that are not sent by then stay in the queue.
   */
  readonly stop: () => Promise<void>;
  /**
   * Takes over a changed configuration: the keys, the credentials with the providers, which servers may
   * register, and how long to retry. Requests under way go on. The rest of the configuration needs a
   * restart. Resolves when the new credentials have been checked. Throws a SealedKeyError, and keeps the
   * configuration, if a stored key cannot be opened.
   */
  readonly reload: (config: BouncerConfig) => Promise<void>;
  /** Resolves when the credentials have been checked with their providers. */
  readonly checked: () => Promise<void>;
}

/** How long a stop waits for the handlers of requests, which need the database, in milliseconds. */
const STOP_MS = 5_000;
/** How long running retries may continue after the bouncer is told to stop, in milliseconds. */
const RETRIES_GRACE_MS = 600;
const PREFIX = '/api/v1/remotes';
/** What public chat servers ask again only after 5xx, see `laterAt`. */
const E2EE_PREFIX = `${PREFIX}/push/e2ee/`;
const V1_PREFIX = '/v1';
/** Room for MAX_PUSH_REQUESTS notifications of the size that providers accept, in bytes. */
const BODY_LIMIT = 4 * 1_048_576;

/**
 * The push bouncer: it knows device tokens but cannot read notifications. Throws a SealedKeyError if a stored
 * key cannot be opened.
 */
export async function createBouncer(options: BouncerOptions): Promise<Bouncer> {
  const {
    database,
    config,
    log,
    now = Date.now,
    outbound = createOutbound({ proxies: options.config.proxies }),
  } = options;
  await using parts = new AsyncDisposableStack();
  parts.defer(() => outbound.close());
  const metrics = createMetrics();
  const { kysely } = database;
  const watch = await watchDatabase(database, {
    statements: { begun: () => [], restored: [] },
    now,
    log,
    onError: (error) => log.error({ err: error }, 'the database could not be checked'),
  });
  parts.defer(watch.stop);
  const senders = new Senders({ log, now });
  parts.defer(() => senders.close());
  senders.use(config);
  const resume = resumePushes({ database, now });
  const states = new ProviderStates({ kysely, senders: () => senders.all(), log });
  const health = new ProviderHealth({ states, onRecovery: resume.onRecovery, log, now });
  const guard = new DeletionGuard({ states, onTrust: resume.onTrust, log });
  const checks = new SenderChecks({ senders: () => senders.all(), health, log, now });
  await states.repeatAlarms();
  warnOfRegistration(config.registration, log);
  const withKeyRing = async (next: BouncerConfig) => ({
    config: next,
    keyRing: await openKeyRing({ ...next, kysely, log }),
  });
  let current = await withKeyRing(config);
  const stopping = new AbortController();
  const running = new RunningOperations();
  const app: App = {
    database,
    get keyRing() {
      return current.keyRing;
    },
    get config() {
      return current.config;
    },
    senders,
    states,
    health,
    guard,
    checks,
    registrations: registrationBatcher(database),
    realms: batchedReads((uuids) => realmsByUuid(kysely, uuids)),
    quotas: new QuotaKeeper({ kysely, quotas: () => current.config.quotas, metrics, log, now }),
    outbound,
    metrics,
    traces: new TraceLog({ kysely, limit: () => current.config.traces, metrics, log, now }),
    log,
    now,
    stopping: stopping.signal,
  };
  const retries = await startJobs({
    database,
    jobs: [...retryJobs, ...upkeep],
    context: app,
    concurrency: byTokenKind<Record<TokenKind, number>>((kind) => providers[kind].retryConcurrency),
    ...(options.now ? { now } : {}), // Default: the database's clock, the same for all nodes.
    log: (message, error) => log.error({ err: error }, message),
  });
  measure(metrics, { senders, states, watch, retries: () => retries.statistics() });
  const started = parts.move();
  let checking = checks.run();
  let isLeaving = false;
  const pageLimit = rateLimitByAddress([{ count: 300, seconds: 60 }]);
  const otherPages = sitePages({
    contract,
    title: 'Bellhop push bouncer API',
    prefix: PREFIX,
    readiness: readiness(database, async () => {
      await sql`select 1 from device limit 1`.execute(kysely);
      return { ...watch.details(), senders: await senderStates(app) };
    }),
    isLeaving: () => isLeaving,
    behindProxy: config.behindProxy,
    limit: pageLimit,
    onLoadFailure: (err) => log.error({ err }, 'the pages cannot be served'),
    further: {
      v1: { contract: bouncerV1, title: 'Bellhop push bouncer API, version 1', prefix: V1_PREFIX },
    },
  });
  const startedAt = new WeakMap<object, number>();
  const traces = new WeakMap<object, Traceparent>();
  const traceOf = (exchange: Exchange): Traceparent => {
    const trace = traces.get(exchange) ?? continueTrace(exchange.header('traceparent'));
    traces.set(exchange, trace);
    return trace;
  };
  const service: Omit<Service<RemoteServer | undefined>, 'prefix'> = {
    behindProxy: config.behindProxy,
    bodyLimit: BODY_LIMIT,
    admit: (endpoint, exchange) => {
      startedAt.set(exchange, performance.now());
      exchange.setHeader('traceparent', traceOf(exchange));
      return admit(endpoint, exchange);
    },
    async perform({ endpoint, params, caller: server, idempotencyKey, exchange }) {
      const operation = operations.get(endpoint);
      if (!operation) throw new ApiError('NOT_FOUND');
      const spend = async (spending: QuotaRequest) =>
        server && app.quotas.spend(server, spending, exchange);
      const traceparent = traceOf(exchange);
      const call = { params, server, idempotencyKey, spend, traceparent, app };
      return running.track(operation.run(call));
    },
    onError: (error, exchange) =>
      log.error(
        { err: error, path: exchange.path, trace_id: traceIdOf(traceOf(exchange)) },
        'a request failed',
      ),
    toApiError: (error, { path }) => laterAt(path, asApiError(error)),
    onAnswer: (endpoint, exchange, status) => {
      const operation = (endpoint && operations.get(endpoint)?.name) ?? 'none';
      const started = startedAt.get(exchange);
      if (started === undefined) return;
      const seconds = (performance.now() - started) / 1_000;
      metrics.requests.observe({ operation, status: String(status) }, seconds);
    },
  };
  const api = serveContract(contract, { ...service, prefix: PREFIX });
  const v1 = serveContract(bouncerV1, { ...service, prefix: V1_PREFIX });
  const operator = serveOperator({ app, statistics: () => retries.statistics() });
  const admit = admission({ kysely, quotas: app.quotas, now });
  return {
    listener: (request, response) =>
      api(request, response, () =>
        operator(request, response, () =>
          v1(request, response, () => otherPages(request, response)),
        ),
      ),
    metrics: metricsPage(metrics.registry),
    leave: () => (isLeaving = true),
    async stop() {
      stopping.abort();
      await Promise.all([running.ended(STOP_MS), retries.stop(RETRIES_GRACE_MS)]);
      await app.traces.flush();
      await app.quotas.close();
      await started.disposeAsync();
      await checking;
    },
    checked: () => checking,
    async reload(changed) {
      const next = await withKeyRing(changed);
      senders.use(changed);
      current = next;
      await states.repeatAlarms();
      await checking;
      checking = checks.run();
      await checking;
      log.info('the configuration was reloaded');
    },
  };
}

/**
 * After a 4xx whose code it does not know, 429 among them, a public chat server gives a registration up for
 * good, and loses a notification: a request that comes too early gets 503 there.
 */
const laterAt = (path: string, error: unknown): unknown =>
  error instanceof ApiError && error.status === 429 && path.startsWith(E2EE_PREFIX)
    ? new ApiError(error.code, {
        status: 503,
        message: error.message,
        data: error.data,
        cause: error,
      })
    : error;
