import type { Exchange } from '@bellhop/http';
import type { Database, DatabaseWatch } from '@bellhop/postgres';
import { type Contract, type Endpoint } from '@bellhop/protocol';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

import type { EventQueues } from './engine/event-queues.ts';
import type { Tables } from './engine/tables.ts';

export interface Metrics {
  readonly registry: Registry;
  readonly answered: (endpoint: Endpoint | undefined, exchange: Exchange, status: number) => void;
}

interface MetricSources {
  readonly queues: EventQueues;
  readonly db: Database<Tables>;
  readonly watch: Pick<DatabaseWatch, 'clockOffset'>;
}

/** The metrics. Operations of the contract are the only values of the label `operation`. */
export function createMetrics(contract: Contract, { queues, db, watch }: MetricSources): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const seconds = new Histogram({
    name: 'bellhop_request_seconds',
    help: 'Seconds from request to response, by operation and HTTP status',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30, 60],
    registers: [registry],
  });
  new Gauge({
    name: 'bellhop_waiting_polls',
    help: 'Long polls waiting on this node',
    registers: [registry],
    collect() {
      this.set(queues.waiting);
    },
  });
  new Gauge({
    name: 'bellhop_database_connections',
    help: 'Connections to PostgreSQL by state',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(db.connections())) this.set({ state }, count);
    },
  });
  new Gauge({
    name: 'bellhop_clock_offset_seconds',
    help: 'By how much the clock of this node is ahead of that of the database',
    registers: [registry],
    collect() {
      this.set(watch.clockOffset());
    },
  });
  const names = new Map(
    Object.entries(contract).flatMap(([resource, endpoints]) =>
      Object.entries(endpoints).map(([operation, endpoint]) => [
        endpoint,
        `${resource}.${operation}`,
      ]),
    ),
  );
  return {
    registry,
    answered: (endpoint, exchange, status) => {
      const operation = (endpoint && names.get(endpoint)) ?? 'none';
      const labels = { operation, status: String(status) };
      seconds.observe(labels, (performance.now() - exchange.startedAt) / 1000);
    },
  };
}
