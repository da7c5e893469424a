import { Counter, Histogram, type Registry } from 'prom-client';

export interface EndedAttempt {
  readonly status: string;
  /** The fault of the attempt. */
  readonly fault: string | null;
  /** Null if nothing was sent. */
  readonly ms: number | null;
}

/** Counts the attempts at webhooks on this node. The labels have few values: no bot, no address. */
export interface DeliveryMetrics {
  readonly ended: (attempt: EndedAttempt) => void;
  readonly registerIn: (registry: Registry) => void;
}

export function deliveryMetrics(): DeliveryMetrics {
  const registers: Registry[] = [];
  const attempts = new Counter({
    name: 'bellhop_webhook_attempts_total',
    help: 'Attempts at outgoing webhooks by the state of the delivery after it and by what was wrong',
    labelNames: ['status', 'fault'],
    registers,
  });
  const seconds = new Histogram({
    name: 'bellhop_webhook_attempt_seconds',
    help: 'Seconds until an outgoing webhook had answered or failed, by the state of the delivery after it',
    labelNames: ['status'],
    buckets: [0.005, 0.01, 0.05, 0.1, 0.5, 1, 2, 5, 10, 30, 60],
    registers,
  });
  return {
    ended({ status, fault, ms }) {
      attempts.inc({ status, fault: fault ?? 'none' });
      if (ms !== null) seconds.observe({ status }, ms / 1000);
    },
    registerIn(registry) {
      registry.registerMetric(attempts);
      registry.registerMetric(seconds);
    },
  };
}
