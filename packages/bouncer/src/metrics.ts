import type { JobStatistics } from '@bellhop/jobs';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

import type { ProviderHealth } from './health/provider-health.ts';
import type { HealthRow } from './health/queries.ts';
import type { ProviderConnections } from './providers/connect-providers.ts';

export interface Metrics {
  readonly registry: Registry;
  readonly notifications: Counter<'provider' | 'verdict'>;
  readonly deadTokens: Counter<'provider'>;
  readonly registrations: Counter<'result'>;
  readonly requests: Histogram<'operation' | 'status'>;
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
    requests: new Histogram({
      name: 'bellhop_bouncer_request_seconds',
      help: 'Time to answer a chat server',
      labelNames: ['operation', 'status'],
      buckets: [0.005, 0.02, 0.1, 0.5, 2, 5, 10],
      registers,
    }),
  };
}

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
        for (const [of, value] of Object.entries(pool)) this.set({ provider, of }, value);
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
      const rows = await health.troubled();
      for (const { provider } of states())
        for (const [of, applies] of Object.entries(troubles))
          this.set(
            { provider, of },
            rows.filter((row) => row.token_kind === provider && applies(row)).length,
          );
    },
  });
  new Gauge({
    name: 'bellhop_bouncer_retries',
    help: 'Notifications waiting for a retry (of = waiting), and how long the oldest due one has been due (of = lag_seconds)',
    labelNames: ['of'],
    registers,
    async collect() {
      const { jobs, dueAgeSeconds } = await retries();
      const pushes = jobs.filter(({ name }) => name.startsWith('bouncer.push_'));
      const waiting = pushes.reduce((sum, { queued, running }) => sum + queued + running, 0);
      this.set({ of: 'waiting' }, waiting);
      this.set({ of: 'lag_seconds' }, dueAgeSeconds);
    },
  });
}
