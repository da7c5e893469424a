import type { Socket } from 'node:net';
import { callbackify } from 'node:util';

import type { buildConnector as Connector } from 'undici';

import { bareHost } from '../outbound/check-url.ts';
import { undici } from '../outbound/undici.ts';
import { openTunnel } from './open-tunnel.ts';
import { type Proxies, targetUrl } from './proxies.ts';

const CONNECT_TIMEOUT_MS = 10_000;

/** A `fetch` through the proxies, for addresses that the operator has configured. */
export function proxiedFetch(proxies: Proxies): typeof fetch {
  const { Agent, buildConnector, fetch: fetchByUndici } = undici();
  const direct = buildConnector({ timeout: CONNECT_TIMEOUT_MS });
  async function connect(target: Connector.Options): Promise<Socket> {
    const proxy = proxies.for(targetUrl(target));
    const to = { host: bareHost(target.hostname), port: Number(target.port || 443) };
    const tunnel = proxy && (await openTunnel(proxy, to, { timeoutMs: CONNECT_TIMEOUT_MS }));
    return new Promise((resolve, reject) => {
      direct({ ...target, ...(tunnel ? { httpSocket: tunnel } : {}) }, (error, socket) =>
        socket ? resolve(socket) : reject(error),
      );
    });
  }
  const connectWithCallback = callbackify(connect);
  const dispatcher = new Agent({
    connect: (target, callback) =>
      connectWithCallback(target, (error, socket) =>
        error ? callback(error, null) : callback(null, socket),
      ),
  });
  const byUndici = fetchByUndici as unknown as (url: unknown, init: object) => Promise<Response>;
  return (url, init) => byUndici(url, { ...init, dispatcher });
}
