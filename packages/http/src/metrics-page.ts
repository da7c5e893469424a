import type { RequestListener } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/** A registry of prom-client. */
export interface MetricsRegistry {
  readonly contentType: string;
  metrics(): Promise<string>;
}

/**
 * Serves `/metrics` for Prometheus. It needs no login, so it belongs to an address that only the
 * operator reaches, not to that of the service.
 */
export const metricsPage =
  (registry: MetricsRegistry): RequestListener =>
  (request, response) => {
    request.resume();
    if (!/^\/metrics(\?|$)/.test(request.url ?? '')) {
      response
        .writeHead(404, { 'content-type': 'text/plain' })
        .end('The metrics are at /metrics\n');
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  };

/**
 * The longest wait of a scrape for the database, in milliseconds: Prometheus gives up after ten
 * seconds.
 */
const DATABASE_MS = 3_000;

/** Undefined if the database fails or is slow: the other metrics are served without it. */
export const soon = <T>(answer: Promise<T>): Promise<T | undefined> =>
  Promise.race([answer.catch(() => undefined), wait(DATABASE_MS, undefined, { ref: false })]);
