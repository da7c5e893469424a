import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

import type { Hooks } from '../hooks.ts';

/** Histogram buckets in seconds. They reach beyond the time that the server waits for a reply. */
const DURATION_BUCKETS = [0.005, 0.025, 0.1, 0.5, 1, 2, 5, 8, 10, 30, 60, 300];

/**
 * Registers prom-client metrics: deliveries by bot, trigger and outcome, their duration, running
 * handlers, refused requests by status, and failures and warnings by code.
 */
export function prometheusHooks(registry: Registry): Hooks {
  const registers = [registry];
  const deliveries = new Counter({
    name: 'bellhop_bot_deliveries_total',
    help: 'Deliveries by outcome',
    labelNames: ['bot', 'trigger', 'outcome', 'via'],
    registers,
  });
  const seconds = new Histogram({
    name: 'bellhop_bot_delivery_seconds',
    help: 'Time from the arrival of a delivery to the end of its handler',
    labelNames: ['bot', 'outcome'],
    buckets: DURATION_BUCKETS,
    registers,
  });
  const running = new Gauge({
    name: 'bellhop_bot_handlers_running',
    help: 'Handlers that are running',
    labelNames: ['bot'],
    registers,
  });
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers });
  const refused = counter('bellhop_bot_refused_total', 'Refused requests', 'status');
  const failures = counter('bellhop_bot_failures_total', 'Failed handlers', 'bot', 'code');
  const warnings = counter('bellhop_bot_warnings_total', 'Warnings', 'bot', 'code');
  return {
    onError: ({ botEmail: bot, code }) => failures.inc({ bot, code }),
    onWarning: ({ botEmail: bot, code }) => warnings.inc({ bot, code }),
    onDelivery: (report) => {
      const { outcome } = report;
      if (outcome === 'refused') return refused.inc({ status: report.status });
      const { botEmail: bot, trigger } = report;
      deliveries.inc({ bot, trigger, outcome, via: 'via' in report ? report.via : '' });
      if ('durationMs' in report) seconds.observe({ bot, outcome }, report.durationMs / 1000);
    },
    around: async ({ botEmail: bot }, run) => {
      running.inc({ bot });
      try {
        return await run();
      } finally {
        running.dec({ bot });
      }
    },
  };
}
