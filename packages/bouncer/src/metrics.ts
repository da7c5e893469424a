import { soon } from '@bellhop/http';
import type { JobStatistics } from '@bellhop/jobs';
import type { DatabaseWatch } from '@bellhop/postgres';
import { TokenKind } from '@bellhop/protocol/bouncer';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

import type { DeletionGuard } from './health/deletion-guard.ts';
import type { ProviderHealth } from './health/provider-health.ts';
import type { Senders } from './providers/senders.ts';
import { retryJobName } from './push/retry-job-name.ts';

export interface Metrics {
  readonly registry: Registry;
  readonly notifications: Counter<'provider' | 'verdict'>;
  readonly deadTokens: Counter<'provider'>;
  readonly tracesDropped: Counter;
  readonly registrations: Counter<'result'>;
  readonly quotasExceeded: Counter<'quota'>;
  readonly requests: Histogram<'operation' | 'status'>;
  readonly attemptSeconds: Histogram<'provider' | 'verdict'>;
  readonly deliverySeconds: Histogram<'provider' | 'verdict'>;
}

/** Sources of the gauges, read at each scrape. */
export interface MetricSources {
  readonly senders: Senders;
  readonly health: ProviderHealth;
  readonly guard: DeletionGuard;
  readonly watch: Pick<DatabaseWatch, 'clockOffset'>;
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
    tracesDropped: new Counter({
      name: 'bellhop_bouncer_traces_dropped_total',
      help: 'Traces of notifications that were not written because the database was too slow or failed',
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

/** Adds the gauges: connections and credentials of the providers, and the retry queue. */
export function measure(
  { registry }: Metrics,
  { senders, health, guard, watch, retries }: MetricSources,
): void {
  const registers = [registry];
  const labelNames = ['provider', 'sender', 'environment'] as const;
  const states = () =>
    senders.gateways().map(({ kind, sender, environment, connection }) => ({
      labels: { provider: kind, sender, environment },
      ...connection.state(),
    }));
  new Gauge({
    name: 'bellhop_bouncer_pool',
    help: 'HTTP/2 connections to a provider: open sessions, draining sessions, streams, bytes in flight, queued requests',
    labelNames: [...labelNames, 'of'],
    registers,
    collect() {
      this.reset();
      for (const { labels, pool } of states())
        for (const [of, value] of Object.entries(pool ?? {})) this.set({ ...labels, of }, value);
    },
  });
  new Gauge({
    name: 'bellhop_bouncer_credential_age_seconds',
    help: 'Age of the token that the bouncer authenticates to a provider with',
    labelNames,
    registers,
    collect() {
      this.reset();
      for (const { labels, credentialAgeMs } of states())
        if (credentialAgeMs !== undefined) this.set(labels, credentialAgeMs / 1_000);
    },
  });
  new Gauge({
    name: 'bellhop_bouncer_provider_trouble',
    help: 'Apps of a sender that wait for the operator (credentials, clock, dead_tokens), or that are paused',
    labelNames: ['provider', 'sender', 'of'],
    registers,
    async collect() {
      const [rows, doubted] = [await soon(health.troubled()), await soon(guard.doubted())];
      this.reset();
      if (!rows || !doubted) return;
      for (const { kind: provider, name: sender, gateways, credentials } of senders.all()) {
        const own = rows.filter((row) =>
          gateways.some((one) => one.credentials.equals(row.credentials)),
        );
        const counts = {
          credentials: own.filter(({ alarm }) => alarm === 'credentials').length,
          clock: own.filter(({ alarm }) => alarm === 'clock').length,
          paused: own.filter(({ paused_until }) => paused_until !== null).length,
          dead_tokens: doubted.filter((row) => credentials.equals(row.credentials)).length,
        };
        for (const [of, count] of Object.entries(counts)) this.set({ provider, sender, of }, count);
      }
    },
  });
  new Gauge({
    name: 'bellhop_bouncer_provider_configured',
    help: 'Whether the bouncer has credentials for a provider: 1 or 0',
    labelNames: ['provider'],
    registers,
    collect() {
      for (const provider of TokenKind.options)
        this.set({ provider }, senders.isConfigured(provider) ? 1 : 0);
    },
  });
  new Gauge({
    name: 'bellhop_bouncer_clock_offset_seconds',
    help: 'By how much the clock of this node is ahead of that of the database',
    registers,
    collect() {
      this.set(watch.clockOffset());
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
