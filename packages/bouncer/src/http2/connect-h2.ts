import { type ClientHttp2Session, connect } from 'node:http2';
import { isIP, type Socket } from 'node:net';
import { connect as connectTls, createSecureContext, type SecureContext } from 'node:tls';

import { openTunnel, type Proxies } from '@bellhop/http/proxy';

interface H2Target {
  readonly origin: string;
  /** PEM certificates of all trusted authorities; undefined: the public ones. */
  readonly ca?: string | undefined;
  readonly proxies?: Proxies | undefined;
  readonly connectTimeoutMs: number;
}

/**
 * Connects to an origin, directly or through its proxy. `connected` is called at once, or when the proxy has
 * opened a tunnel; the caller listens to the session. `failed`: there is no session. `signal` ends the wait for
 * the proxy.
 */
export function connectH2(
  { origin, ca, proxies, connectTimeoutMs }: H2Target,
  signal: AbortSignal,
  on: { connected: (session: ClientHttp2Session) => void; failed: (error: Error) => void },
): void {
  const url = new URL(origin);
  const trust = ca === undefined ? {} : { secureContext: contextOf(ca) };
  const options = { settings: { enablePush: false }, ...trust };
  const proxy = proxies?.for(url);
  if (!proxy) {
    on.connected(connect(origin, options));
    return;
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const target = { host, port: Number(url.port || 443) };
  const overTls = (socket: Socket) =>
    connectTls({
      socket,
      host,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ALPNProtocols: ['h2'],
      ...trust,
    });
  // The rest of the time is for TLS, so that a silent proxy and a silent peer fail with different
  // errors.
  const timeoutMs = connectTimeoutMs * 0.8;
  openTunnel(proxy, target, { timeoutMs, signal }).then(
    (socket) => {
      if (signal.aborted) socket.destroy();
      else on.connected(connect(origin, { ...options, createConnection: () => overTls(socket) }));
    },
    (error: Error) => {
      if (!signal.aborted) on.failed(error);
    },
  );
}

/** To read all public authorities takes 50 ms: too long for each connection. */
let latest: { readonly ca: string; readonly context: SecureContext } | undefined;

function contextOf(ca: string): SecureContext {
  if (latest?.ca !== ca) latest = { ca, context: createSecureContext({ ca }) };
  return latest.context;
}
