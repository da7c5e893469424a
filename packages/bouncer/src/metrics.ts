import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';

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
