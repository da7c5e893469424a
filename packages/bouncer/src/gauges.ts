import { soon } from '@bellhop/http';
import type { JobStatistics } from '@bellhop/jobs';
import type { DatabaseWatch } from '@bellhop/postgres';
import { TokenKind } from '@bellhop/protocol/bouncer';
import { Gauge, type Registry } from 'prom-client';

import type { ProviderStates } from './health/provider-states.ts';
import type { Metrics } from './metrics.ts';
import type { Senders } from './providers/senders.ts';
import { retryJobName } from './retry/retry-job-name.ts';

/** Sources of the gauges, read at each scrape. */
interface MetricSources {
  readonly senders: Senders;
  readonly states: ProviderStates;
  readonly watch: Pick<DatabaseWatch, 'clockOffset'>;
  readonly retries: () => Promise<JobStatistics>;
}

/** Adds the gauges: connections and credentials of the providers, and the retry queue. */
export function measure(
  { registry }: Metrics,
  { senders, states: known, watch, retries }: MetricSources,
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
      const [rows, doubted] = [await soon(known.troubled()), await soon(known.doubted())];
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
    help: 'Notifications that were given up or refused in the queue: `bellhop bouncer queue list` lists them',
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
