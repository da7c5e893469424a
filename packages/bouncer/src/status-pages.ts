import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Registry } from 'prom-client';

interface Pages {
  /** Rejects when the bouncer cannot do its work. */
  readonly ready: () => Promise<unknown>;
  readonly registry: Registry;
}

/** `/livez`, `/readyz` and `/metrics`; says whether it answered. */
export function statusPages({ ready, registry }: Pages) {
  const pages: Readonly<Record<string, () => Promise<string>>> = {
    '/livez': () => Promise.resolve('ok\n'),
    '/readyz': async () => {
      await ready();
      return 'ok\n';
    },
    '/metrics': () => registry.metrics(),
  };
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
    if (!page) return false;
    const type = path === '/metrics' ? registry.contentType : 'text/plain; charset=utf-8';
    page().then(
      (text) => response.writeHead(200, { 'content-type': type }).end(text),
      () => response.writeHead(503, { 'content-type': 'text/plain' }).end('not ready\n'),
    );
    return true;
  };
}
