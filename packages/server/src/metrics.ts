import type { Exchange } from '@bellhop/http';
import type { Database } from '@bellhop/postgres';
import { type Contract, type Endpoint } from '@bellhop/protocol';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

import type { EventQueues } from './engine/event-queues.ts';
import type { Tables } from './tables.ts';

export interface Metrics {
  readonly registry: Registry;
  readonly answered: (endpoint: Endpoint | undefined, exchange: Exchange, status: number) => void;
}

/** The metrics. Operations of the contract are the only values of the label `operation`. */
export function createMetrics(
  contract: Contract,
  { queues, db }: { queues: EventQueues; db: Database<Tables> },
): Metrics {
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
