import { setTimeout as wait } from 'node:timers/promises';

import type { JobStatistics } from '@bellhop/jobs';
import { TokenKind } from '@bellhop/protocol';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

import type { ProviderHealth } from './health/provider-health.ts';
import type { HealthRow } from './health/queries.ts';
import type { ProviderConnections } from './providers/connect-providers.ts';
import { retryJobName } from './push/retry-job-name.ts';

export interface Metrics {
  readonly registry: Registry;
  readonly notifications: Counter<'provider' | 'verdict'>;
  readonly deadTokens: Counter<'provider'>;
  readonly registrations: Counter<'result'>;
  readonly quotasExceeded: Counter<'quota'>;
  readonly requests: Histogram<'operation' | 'status'>;
  readonly attemptSeconds: Histogram<'provider' | 'verdict'>;
  readonly deliverySeconds: Histogram<'provider' | 'verdict'>;
}

/** Sources of the gauges, read at each scrape. */
export interface MetricSources {
  readonly connections: ProviderConnections;
  readonly health: ProviderHealth;
  readonly retries: () => Promise<JobStatistics>;
}

/** The bouncer's Prometheus metrics. Labels are few and bounded: no server, device or token. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    notifications: new Counter({
      name: 'bellhop_bouncer_notification_attempts_total',
      help: 'Attempts to send a notification to a provider, by verdict',
      labelNames: ['provider', 'verdict'],
      registers,
    }),
    deadTokens: new Counter({
      name: 'bellhop_bouncer_dead_tokens_total',
      help: 'Device tokens that a provider reported as invalid for good',
      labelNames: ['provider'],
      registers,
    }),
    registrations: new Counter({
      name: 'bellhop_bouncer_registrations_total',
      help: 'Device registrations, by result: registered, or the error code',
      labelNames: ['result'],
      registers,
    }),
    quotasExceeded: new Counter({
      name: 'bellhop_bouncer_quota_exceeded_total',
      help: 'Requests and notifications refused because a quota was exceeded, by quota',
      labelNames: ['quota'],
      registers,
    }),
    requests: new Histogram({
      name: 'bellhop_bouncer_request_seconds',
      help: 'Time to answer a chat server',
      labelNames: ['operation', 'status'],
      buckets: [0.005, 0.02, 0.1, 0.5, 2, 5, 10],
      registers,
    }),
    attemptSeconds: new Histogram({
      name: 'bellhop_bouncer_attempt_seconds',
      help: 'Time from the start of an attempt to the verdict on the answer of the provider',
      labelNames: ['provider', 'verdict'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    deliverySeconds: new Histogram({
      name: 'bellhop_bouncer_delivery_seconds',
      help: 'Time from the request of the chat server to the final verdict on a notification, with all waits in the queue',
      labelNames: ['provider', 'verdict'],
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 120, 600, 3_600],
      registers,
    }),
  };
}

/** A scrape waits no longer for the database, in milliseconds: Prometheus gives up after ten seconds. */
const DATABASE_MS = 3_000;

/** Undefined if the database fails or is slow: the other metrics are served without it. */
const soon = <T>(answer: Promise<T>): Promise<T | undefined> =>
  Promise.race([answer.catch(() => undefined), wait(DATABASE_MS, undefined, { ref: false })]);

const troubles: Readonly<Record<string, (row: HealthRow) => boolean>> = {
  credentials: ({ alarm }) => alarm === 'credentials',
  clock: ({ alarm }) => alarm === 'clock',
  dead_tokens: ({ alarm }) => alarm === 'dead_tokens',
  paused: ({ paused_until }) => paused_until !== null,
};

/** Adds the gauges: connections and credentials of the providers, and the retry queue. */
export function measure(
  { registry }: Metrics,
  { connections, health, retries }: MetricSources,
): void {
  const registers = [registry];
  const states = () =>
    Object.entries(connections).flatMap(([provider, connection]) =>
      connection ? [{ provider, ...connection.state() }] : [],
    );
  new Gauge({
    name: 'bellhop_bouncer_pool',
    help: 'HTTP/2 connections to a provider: open sessions, draining sessions, streams, bytes in flight, queued requests',
    labelNames: ['provider', 'of'],
    registers,
    collect() {
      for (const { provider, pool } of states())
        for (const [of, value] of Object.entries(pool ?? {})) this.set({ provider, of }, value);
    },
  });
  new Gauge({
    name: 'bellhop_bouncer_credential_age_seconds',
    help: 'Age of the token that the bouncer authenticates to a provider with',
    labelNames: ['provider'],
    registers,
    collect() {
      for (const { provider, credentialAgeMs } of states())
        if (credentialAgeMs !== undefined) this.set({ provider }, credentialAgeMs / 1_000);
    },
  });
  new Gauge({
    name: 'bellhop_bouncer_provider_trouble',
    help: 'Apps of a provider that wait for the operator (credentials, clock, dead_tokens), or that are paused',
    labelNames: ['provider', 'of'],
    registers,
    async collect() {
      const rows = await soon(health.troubled());
      this.reset();
      if (!rows) return;
      for (const { provider } of states())
        for (const [of, applies] of Object.entries(troubles))
          this.set(
            { provider, of },
            rows.filter((row) => row.token_kind === provider && applies(row)).length,
          );
    },
  });
  new Gauge({
    name: 'bellhop_bouncer_provider_configured',
    help: 'Whether the bouncer has credentials for a provider: 1 or 0',
    labelNames: ['provider'],
    registers,
    collect() {
      for (const provider of TokenKind.options)
        this.set({ provider }, connections[provider] ? 1 : 0);
    },
  });
  measureQueue(registers, retries);
}

type JobCount = JobStatistics['jobs'][number];

const queueGauges: readonly {
  readonly name: string;
  readonly help: string;
  readonly read: (job: JobCount) => number;
}[] = [
  {
    name: 'bellhop_bouncer_queue_notifications',
    help: 'Notifications in the queue: waiting for their next attempt, or in it',
    read: ({ queued, running }) => queued + running,
  },
  {
    name: 'bellhop_bouncer_queue_oldest_seconds',
    help: 'How long the oldest notification in the queue has been there',
    read: ({ oldestSeconds }) => oldestSeconds,
  },
  {
    name: 'bellhop_bouncer_queue_ended',
    help: 'Notifications that were given up or refused in the queue: `bellhop bouncer replay` lists them',
    read: ({ dead }) => dead,
  },
];

/** Adds the gauges of the notifications that wait for their provider. One query serves a scrape. */
function measureQueue(registers: Registry[], retries: MetricSources['retries']): void {
  let reading: Promise<JobStatistics | undefined> | undefined;
  const read = () => (reading ??= soon(retries()).finally(() => (reading = undefined)));
  for (const { name, help, read: valueOf } of queueGauges)
    new Gauge({
      name,
      help,
      labelNames: ['provider'],
      registers,
      async collect() {
        const statistics = await read();
        this.reset();
        if (!statistics) return;
        for (const provider of TokenKind.options) {
          const job = statistics.jobs.find((one) => one.name === retryJobName(provider));
          this.set({ provider }, job ? valueOf(job) : 0);
        }
      },
    });
  new Gauge({
    name: 'bellhop_bouncer_queue_lag_seconds',
    help: 'How long the oldest job that is due has been due: high if the bouncer is too slow',
    registers,
    async collect() {
      this.set((await read())?.dueAgeSeconds ?? 0);
    },
  });
  new Gauge({
    name: 'bellhop_bouncer_database_up',
    help: 'Whether the database answered this scrape: 1 or 0. Without it, the metrics of queue and alarms are missing',
    registers,
    async collect() {
      this.set((await read()) ? 1 : 0);
    },
  });
}
