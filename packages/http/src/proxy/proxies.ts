import { createHash } from 'node:crypto';
import { isIP } from 'node:net';

import ipaddr from 'ipaddr.js';

import { bareHost } from '../outbound/check-url.ts';

/** An HTTP proxy that opens tunnels (CONNECT). */
export interface Proxy {
  /** `http:` or `https:`. */
  readonly protocol: string;
  readonly host: string;
  readonly port: number;
  /** The header `Proxy-Authorization`. */
  readonly authorization: string | undefined;
  /** `http://proxy.example.com:3128`, without the login: for people and logs. */
  readonly name: string;
}

export interface ProxyVariables {
  /** `http://user:password@proxy.example.com:3128` */
  readonly https?: string | undefined;
  /**
   * Hosts that are reached without a proxy: `intern.example.com,.example.org,10.0.0.0/8`, or `*`.
   */
  readonly no?: string | undefined;
}

type Exception = (host: string, port: string) => boolean;

/** Which connections over TLS go through a proxy. Its fields are private, so that no log prints the login. */
export class Proxies {
  readonly #proxy: Proxy | undefined;
  readonly #exceptions: readonly Exception[];
  /** A hash of the configuration of the proxies. */
  readonly fingerprint: string;

  /** Throws an error that names the fault and not the login. */
  constructor({ https = '', no = '' }: ProxyVariables = {}) {
    this.#proxy = https.trim() === '' ? undefined : parseProxy(https.trim());
    this.#exceptions = no.split(/[\s,]+/).flatMap((text) => (text === '' ? [] : [exception(text)]));
    this.fingerprint = createHash('sha256')
      .update(JSON.stringify([https, no]))
      .digest('hex');
  }

  /** The proxy for a URL; undefined for a direct connection. Only `https:` goes through a proxy. */
  for(url: URL): Proxy | undefined {
    if (!this.#proxy || url.protocol !== 'https:') return undefined;
    const [host, port] = [bareHost(url.hostname).toLowerCase(), url.port || '443'];
    return this.#exceptions.some((excepts) => excepts(host, port)) ? undefined : this.#proxy;
  }

  /** The proxy by its name, without a login; undefined if there is none. */
  get name(): string | undefined {
    return this.#proxy?.name;
  }
}

interface ConnectTarget {
  readonly protocol: string;
  /** With or without brackets around an IPv6 address. */
  readonly hostname: string;
  readonly port: string;
}

/** The origin of the connection that undici asks for, as a URL without a path. */
export function targetUrl({ protocol, hostname, port }: ConnectTarget): URL {
  const host = bareHost(hostname);
  return new URL(`${protocol}//${isIP(host) === 6 ? `[${host}]` : host}${port && `:${port}`}`);
}

function parseProxy(text: string): Proxy {
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '')
    throw new Error('must be the address of an HTTP proxy such as http://proxy.example.com:3128');
  const { protocol, username, password, hostname } = url;
  const port = Number(url.port || (protocol === 'https:' ? 443 : 80));
  const login = [username, password].map(decoded).join(':');
  return {
    protocol,
    host: bareHost(hostname),
    port,
    authorization: username === '' ? undefined : `Basic ${Buffer.from(login).toString('base64')}`,
    name: `${protocol}//${hostname}:${port}`,
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Error('has a % in its login: write it as %25');
  }
}

function exception(text: string): Exception {
  if (text === '*') return () => true;
  if (ipaddr.isValidCIDR(text)) {
    const [network, bits] = ipaddr.parseCIDR(text);
    return (host) => {
      if (isIP(host) === 0) return false;
      const address = ipaddr.parse(host);
      return address.kind() === network.kind() && address.match(network, bits);
    };
  }
  const url = URL.parse(`https://${text.replace(/^\*?\./, '')}`);
  const name = isIP(text) === 6 ? text : bareHost(url?.hostname ?? text).toLowerCase();
  const port = isIP(text) === 6 ? '' : (/:(\d+)$/.exec(text)?.[1] ?? '');
  return (host, asked) =>
    (host === name || (isIP(host) === 0 && host.endsWith(`.${name}`))) &&
    (port === '' || port === asked);
}
