import { isIP } from 'node:net';

import { createOutbound, OutboundError } from '@bellhop/http/outbound';
import { type Proxies, TunnelFailed } from '@bellhop/http/proxy';
import { failed, type Finding, ok, warning } from '@bellhop/postgres';

import { clockSkew } from '../providers/clock-skew.ts';
import type { WebPushConfig } from '../providers/provider-configs.ts';
import { certificateFix } from './certificate-fix.ts';
import { proxyFix } from './proxy-fix.ts';

/** Push services that the doctor calls, at most. */
const MAX_CALLED = 10;
const WITHIN_MS = 5_000;

interface PushServices {
  readonly title: string;
  readonly config: WebPushConfig;
  /** PEM; undefined: the public certificate authorities. */
  readonly ca: string | undefined;
  readonly proxies: Proxies;
}

/**
 * Calls the push services that the configuration names by their hosts. Whether they accept the VAPID key
 * shows only with the subscription of a browser.
 */
export async function checkPushServices({
  title,
  config,
  ca,
  proxies,
}: PushServices): Promise<Finding[]> {
  const { allow, hosts } = config;
  const named = hosts === 'any' ? [] : hosts.filter(isCallable).slice(0, MAX_CALLED);
  const outbound = createOutbound({
    allow,
    proxies,
    // The check calls only the listed services.
    trusts: () => true,
    ...(ca === undefined ? {} : { ca: [ca] }),
  });
  const call = async (host: string): Promise<Finding[]> => {
    const check = `${title}: ${host}`;
    try {
      const { headers } = await outbound.get(`https://${host}/`, { totalTimeoutMs: WITHIN_MS });
      const skew = clockSkew(headers, Date.now());
      return [
        ok(check, 'reached'),
        skew === undefined
          ? ok(`clock: ${host}`, 'agrees with the clock of this machine')
          : failed(`clock: ${host}`, skew, 'Set the clock, and keep it by NTP.'),
      ];
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      const { cause } = error;
      if (cause instanceof TunnelFailed)
        return [failed(check, cause.message, proxyFix(cause, host))];
      return [failed(check, error.safeMessage, fixFor(error, host))];
    }
  };
  try {
    const found = (await Promise.all(named.map(call))).flat();
    const key = `browsers subscribe with ${config.publicKey}`;
    return [...found, ok(`${title}: credentials`, key), ...openness(title, hosts)];
  } finally {
    await outbound.close();
  }
}

/** A pattern names no host; an address without a port may have no service at 443. */
const isCallable = (host: string) =>
  !host.startsWith('*.') && !host.endsWith(']') && isIP(host) === 0;

function fixFor({ fault, cause }: OutboundError, host: string): string {
  const fix = certificateFix(codeOf(cause), host);
  if (fix !== undefined) return fix;
  if (fault === 'address_forbidden')
    return `${host} is not at a public address: allow its network (BELLHOP_BOUNCER_WEBPUSH_ALLOW, or allow in the apps file).`;
  if (fault === 'dns') return `This machine cannot resolve ${host}: check its DNS server.`;
  return `Let the firewall pass outgoing TCP to ${host}, or remove it from the push services.`;
}

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

const openness = (title: string, hosts: WebPushConfig['hosts']): Finding[] =>
  hosts === 'any'
    ? [
        warning(
          `${title}: hosts`,
          'browsers may name any public host as their push service, and the bouncer calls it',
          'List the push services in BELLHOP_BOUNCER_WEBPUSH_HOSTS, or in hosts of the apps file.',
        ),
      ]
    : [];
