import { isIP, connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

import { deliveryFaults, type FaultFacts } from '@bellhop/protocol/contract';

import { codeOf, connectionFault } from '../answers/connection-fault.ts';
import type { AddressPolicy } from './address-policy.ts';
import { bareHost, checkUrl } from './check-url.ts';
import type { GuardOptions } from './guarded-connect.ts';
import { factsOf, OutboundError } from './outbound-error.ts';
import type { OutboundResponse } from './outbound-response.ts';

/** One step of a check. A step after a failed one is skipped. */
export interface CheckedStep {
  name: 'dns' | 'guard' | 'connect' | 'tls' | 'http';
  outcome: 'ok' | 'failed' | 'skipped';
  ms: number | null;
  /** Contains no address: only the server may know what a name resolves to. */
  detail: string;
}

interface CheckOptions extends Pick<GuardOptions, 'ca' | 'connectTimeoutMs'> {
  policy: AddressPolicy;
  resolve: (host: string) => Promise<string[]>;
  get: (url: string) => Promise<OutboundResponse>;
}

const names = ['dns', 'guard', 'connect', 'tls', 'http'] as const;

/**
 * Checks step by step whether an endpoint can be called: its name, its address, the connection, TLS, and
 * an answer to a GET. Connects to permitted addresses only.
 */
export async function checkEndpoint(
  url: string,
  { policy, resolve, get, ca, connectTimeoutMs = 5000 }: CheckOptions,
): Promise<CheckedStep[]> {
  const { protocol, hostname, host: shown, port } = new URL(url);
  const host = bareHost(hostname);
  const isTls = protocol === 'https:';
  const about = { host: shown, isTls };
  let addresses: string[] = [];
  let socket: Socket | undefined;
  const work: Record<(typeof names)[number], () => Promise<string | undefined>> = {
    async dns() {
      addresses = isIP(host) === 0 ? await resolve(host) : [host];
      return isIP(host) === 0 ? `${host} exists` : undefined;
    },
    async guard() {
      checkUrl(url, policy);
      if (addresses.every((address) => policy.permits(address))) return 'the address is permitted';
      throw new Error(
        'the address is not on the public internet: the operator permits private networks by BELLHOP_WEBHOOK_ALLOW',
      );
    },
    async connect() {
      const to = { host: addresses[0] ?? '', port: Number(port || (isTls ? 443 : 80)) };
      socket = connectTcp(to);
      await opened(socket, 'connect', connectTimeoutMs);
      return `port ${to.port} is open`;
    },
    async tls() {
      if (!isTls || !socket) return undefined;
      const servername = isIP(host) === 0 ? { servername: host } : {};
      const secure = connectTls({ socket, ...servername, ...(ca && { ca: [...ca] }) });
      socket = secure;
      await opened(secure, 'secureConnect', connectTimeoutMs);
      return `${secure.getProtocol() ?? 'TLS'}, the certificate is trusted`;
    },
    async http() {
      const { status } = await get(url);
      return `answers a GET with ${status}; deliveries are POST requests`;
    },
  };
  const steps: CheckedStep[] = [];
  let hasFailed = false;
  try {
    for (const name of names) {
      const step: CheckedStep = hasFailed
        ? skipped(name)
        : await measured({ name, about }, work[name]);
      hasFailed ||= step.outcome === 'failed';
      steps.push(step);
    }
  } finally {
    socket?.destroy();
  }
  return steps;
}

const skipped = (name: CheckedStep['name']): CheckedStep => ({
  name,
  outcome: 'skipped',
  ms: null,
  detail: 'not reached',
});

async function measured(
  { name, about }: Pick<CheckedStep, 'name'> & { about: FaultFacts },
  work: () => Promise<string | undefined>,
): Promise<CheckedStep> {
  const started = performance.now();
  const ms = () => Math.round(performance.now() - started);
  try {
    const detail = await work();
    if (detail === undefined)
      return { name, outcome: 'skipped', ms: null, detail: 'not needed for this URL' };
    return { name, outcome: 'ok', ms: ms(), detail };
  } catch (error) {
    return { name, outcome: 'failed', ms: ms(), detail: reasonOf(error, { ...about, ms: ms() }) };
  }
}

/** The words of the table of faults; those about a forbidden address say which rule forbids it. */
function reasonOf(error: unknown, about: FaultFacts): string {
  if (error instanceof OutboundError) {
    const { fault, safeMessage } = error;
    if (fault === 'canceled' || fault === 'address_forbidden') return safeMessage;
    return deliveryFaults[fault].forAuthor({ ...about, ...factsOf(error) });
  }
  if (codeOf(error) !== '')
    return deliveryFaults[connectionFault(error)].forAuthor({ ...about, code: codeOf(error) });
  return error instanceof Error ? error.message : 'it failed';
}

/** Waits for an event of a socket. Rejects at its error, and when the time is over. */
function opened(socket: Socket, event: string, milliseconds: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`nothing happened for ${milliseconds / 1000} s`)),
      milliseconds,
    );
    const end = (settle: () => void) => {
      clearTimeout(timer);
      settle();
    };
    socket.once(event, () => end(resolve));
    socket.once('error', (error) => end(() => reject(error)));
    socket.once('close', () =>
      end(() => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' }))),
    );
  });
}
