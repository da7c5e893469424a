import type { RequestListener } from 'node:http';

/** A registry of prom-client. */
interface Registry {
  readonly contentType: string;
  metrics(): Promise<string>;
}

/**
 * Serves `/metrics` for Prometheus. It needs no login, so it belongs to an address that only the
 * operator reaches, not to that of the service.
 */
export const metricsPage =
  (registry: Registry): RequestListener =>
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
