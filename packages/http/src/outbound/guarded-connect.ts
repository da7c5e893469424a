import { AsyncLocalStorage } from 'node:async_hooks';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import { callbackify } from 'node:util';

import type { buildConnector } from 'undici';

import { lookUpFault } from '../answers/connection-fault.ts';
import { openTunnel } from '../proxy/open-tunnel.ts';
import { type Proxies, type Proxy, targetUrl } from '../proxy/proxies.ts';
import type { AddressPolicy } from './address-policy.ts';
import { bareHost, checkHost, notPublic } from './check-url.ts';
import { OutboundError } from './outbound-error.ts';
import { skipContinue } from './skip-continue.ts';
import type { StepClock } from './step-clock.ts';
import { undici } from './undici.ts';

/** Resolves a host name to all its addresses. */
export type Resolve = (host: string) => Promise<readonly { address: string }[]>;

/**
 * The clock of the request that is being sent. A request that needs a new connection opens it in its
 * own asynchronous context.
 */
export const requestClock = new AsyncLocalStorage<StepClock>();

/** Connects to one of the given addresses. */
export type Dial = (
  target: buildConnector.Options,
  addresses: readonly string[],
) => Promise<Socket>;

export interface GuardOptions {
  policy: AddressPolicy;
  resolve?: Resolve;
  resolveTimeoutMs?: number;
  connectTimeoutMs?: number;
  /** Additional trusted certificates (PEM). */
  ca?: readonly string[];
  dial?: Dial;
  /** Default: all connections are direct. */
  proxies?: Proxies;
  /**
   * Whether the operator vouches for a host: behind a proxy, its name is passed on. Any other name is looked
   * up and checked here, and the proxy gets the address.
   */
  trusts?: (target: URL) => boolean;
}

const resolveAll: Resolve = (host) => lookup(host, { all: true });

const dnsFailure = (cause: unknown) => new OutboundError(lookUpFault(cause), { cause });

/** All addresses of a name. Throws an OutboundError. */
export async function addressesOf(
  host: string,
  {
    resolve = resolveAll,
    resolveTimeoutMs = 3000,
  }: Pick<GuardOptions, 'resolve' | 'resolveTimeoutMs'>,
): Promise<string[]> {
  const found = await resolveWithin(resolve, host, resolveTimeoutMs);
  if (found.length === 0) throw dnsFailure(Object.assign(new Error(), { code: 'ENODATA' }));
  return found.map(({ address }) => address);
}

async function resolveWithin(resolve: Resolve, host: string, milliseconds: number) {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error('The DNS lookup took too long.')),
    milliseconds,
  );
  try {
    return await Promise.race([resolve(host), late.promise]);
  } catch (error) {
    throw dnsFailure(error);
  } finally {
    clearTimeout(timer);
  }
}

function lookupOnly(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, { all: wantsAll }, callback) => {
    if (wantsAll === true) callback(null, all);
    else callback(null, all[0]?.address ?? '', all[0]?.family);
  };
}

/** Dials by undici's connector, with a lookup that returns the checked addresses only. */
function dialWith(timeout: number, ca: readonly string[] | undefined): Dial {
  // Read once: all public authorities take 50 ms.
  const trust = ca && { secureContext: createSecureContext({ ca: [...ca] }) };
  const base = { timeout, allowH2: false, maxCachedSessions: 0, ...trust };
  return (target, addresses) =>
    new Promise((done, fail) => {
      const connect = undici().buildConnector({ ...base, lookup: lookupOnly(addresses) });
      connect(target, (error, socket) => (socket ? done(socket) : fail(error)));
    });
}

/**
 * The `connect` of an undici Agent for permitted addresses only. Resolves the name once per
 * connection, refuses if any of its addresses is forbidden, and checks the peer after connecting.
 */
export function guardedConnect(options: GuardOptions): buildConnector.connector {
  const { policy, connectTimeoutMs = 5000 } = options;
  const dial = options.dial ?? dialWith(connectTimeoutMs, options.ca);

  async function vettedAddresses(host: string): Promise<string[]> {
    if (isIP(host) !== 0) return [host];
    const addresses = await addressesOf(host, options);
    if (!addresses.every((address) => policy.permits(address))) throw notPublic();
    return addresses;
  }

  /** The proxy has to check the names that it is given. */
  async function connectBy(proxy: Proxy, url: URL, target: buildConnector.Options) {
    const host = bareHost(target.hostname);
    const [named = host] = options.trusts?.(url) ? [host] : await vettedAddresses(host);
    const to = { host: named, port: Number(target.port || 443) };
    const httpSocket = await openTunnel(proxy, to, { timeoutMs: connectTimeoutMs });
    return dial({ ...target, httpSocket }, []);
  }

  async function connect(target: buildConnector.Options): Promise<Socket> {
    checkHost(bareHost(target.hostname), policy);
    const clock = requestClock.getStore();
    const url = targetUrl(target);
    const proxy = options.proxies?.for(url);
    clock?.begin(proxy ? 'connect' : 'dns');
    if (proxy) {
      const tunnel = await connectBy(proxy, url, target);
      clock?.begin('first_byte');
      return tunnel;
    }
    const addresses = await vettedAddresses(bareHost(target.hostname));
    clock?.begin('connect');
    const socket = await dial(target, addresses);
    clock?.begin('first_byte');
    if (policy.permits(socket.remoteAddress ?? '')) return socket;
    socket.destroy();
    throw notPublic();
  }

  const connectWithCallback = callbackify(connect);
  return (target, callback) => {
    connectWithCallback(target, (error, socket) => {
      if (error) callback(error, null);
      else callback(null, skipContinue(socket));
    });
  };
}
