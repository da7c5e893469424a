import { request as requestByHttp } from 'node:http';
import { request as requestByHttps } from 'node:https';
import type { Socket } from 'node:net';

import type { Proxy } from './proxies.ts';

/**
 * A proxy did not open a tunnel. `login`: it wants other credentials (407). `refused`: it answered
 * with another status. `unreachable`: no connection to it, or it broke off. `timeout`: it did not
 * answer in time.
 */
export class TunnelFailed extends Error {
  override readonly name = 'TunnelFailed';
  readonly kind: 'login' | 'refused' | 'unreachable' | 'timeout';

  constructor(kind: TunnelFailed['kind'], message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.kind = kind;
  }
}

export interface TunnelTarget {
  /** A name, or an address without brackets. */
  readonly host: string;
  readonly port: number;
}
export interface TunnelOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/**
 * Asks a proxy for a connection to `target` (RFC 9110, CONNECT). Resolves with a socket on which the target
 * is to be spoken to. Rejects with TunnelFailed, whose message has no login, or with the reason of `signal`.
 */
export function openTunnel(
  proxy: Proxy,
  { host, port }: TunnelTarget,
  { timeoutMs, signal }: TunnelOptions,
): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const start = proxy.protocol === 'https:' ? requestByHttps : requestByHttp;
  const asked = start({
    method: 'CONNECT',
    host: proxy.host,
    port: proxy.port,
    path: authority,
    agent: false,
    headers: {
      host: authority,
      ...(proxy.authorization === undefined ? {} : { 'proxy-authorization': proxy.authorization }),
    },
  });
  const fail = (error: unknown) => {
    end();
    asked.destroy();
    reject(error);
  };
  const silent = `the proxy ${proxy.name} did not answer within ${timeoutMs / 1_000} s`;
  const timer = setTimeout(() => fail(new TunnelFailed('timeout', silent)), timeoutMs);
  const abort = () => fail(signal?.reason);
  const end = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  };
  signal?.addEventListener('abort', abort, { once: true });
  asked.on('error', ({ message, code }: NodeJS.ErrnoException) =>
    fail(new TunnelFailed('unreachable', `the proxy ${proxy.name}: ${message || code}`)),
  );
  asked.once('connect', ({ statusCode = 0 }, socket: Socket, head: Buffer) => {
    if (statusCode < 200 || statusCode > 299) {
      socket.destroy();
      fail(refusal(proxy, authority, statusCode));
      return;
    }
    end();
    if (head.length > 0) socket.unshift(head);
    resolve(socket);
  });
  if (signal?.aborted) abort();
  else asked.end();
  return promise;
}

function refusal({ name }: Proxy, authority: string, status: number): TunnelFailed {
  if (status === 407) return new TunnelFailed('login', `the proxy ${name} wants a login (407)`);
  return new TunnelFailed(
    'refused',
    `the proxy ${name} opens no connection to ${authority} (status ${status})`,
  );
}
