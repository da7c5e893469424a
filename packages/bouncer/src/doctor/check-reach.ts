import type { ClientHttp2Session } from 'node:http2';

import { type Proxies, TunnelFailed } from '@bellhop/http/proxy';
import { failed, type Finding, ok } from '@bellhop/postgres';

import { connectH2 } from '../http2/connect-h2.ts';
import { clockSkew } from '../providers/clock-skew.ts';
import { certificateFix } from './certificate-fix.ts';
import { proxyFix } from './proxy-fix.ts';

const WITHIN_MS = 5_000;

interface Reach {
  readonly title: string;
  readonly origin: string;
  /** PEM; undefined: the public certificate authorities. */
  readonly ca: string | undefined;
  readonly proxies: Proxies;
}

/** Checks name, network, certificate and clock by one harmless request to the provider. */
export async function checkReach({ title, ...target }: Reach): Promise<Finding[]> {
  const url = new URL(target.origin);
  const { host } = url;
  const proxy = target.proxies.for(url);
  const check = `${title}: ${host}`;
  try {
    const date = await dateOf(target);
    const skew = clockSkew({ date }, Date.now());
    return [
      ok(check, `reached, over HTTP/2${proxy ? `, through the proxy ${proxy.name}` : ''}`),
      skew === undefined
        ? ok(`clock: ${host}`, 'agrees with the clock of this machine')
        : failed(`clock: ${host}`, skew, 'Set the clock, and keep it by NTP.'),
    ];
  } catch (error) {
    if (error instanceof TunnelFailed) return [failed(check, error.message, proxyFix(error, host))];
    const { code = '', message } = error as NodeJS.ErrnoException;
    return [failed(check, message || code, fixFor(code, host))];
  }
}

function fixFor(code: string, host: string): string {
  if (['ENOTFOUND', 'EAI_AGAIN'].includes(code))
    return `This machine cannot resolve ${host}: check its DNS server.`;
  const fix = certificateFix(code, host);
  if (fix !== undefined) return fix;
  if (/SSL|TLS/.test(code))
    return `What answers at ${host} does not speak TLS as the provider does: does a proxy open the traffic?`;
  if (host.includes('push.apple.com'))
    return 'Let the firewall pass outgoing TCP to port 443. Apple also listens on 2197: append :2197 to BELLHOP_BOUNCER_APNS_URL.';
  return `Let the firewall pass outgoing TCP to ${host}.`;
}

/** The `Date` header of the answer; undefined without one. */
async function dateOf(target: Omit<Reach, 'title'>): Promise<string | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  const ended = new AbortController();
  const late = new Error(`no answer within ${WITHIN_MS / 1_000} s`);
  const timer = setTimeout(() => reject(late), WITHIN_MS);
  let session: ClientHttp2Session | undefined;
  connectH2({ ...target, connectTimeoutMs: WITHIN_MS }, ended.signal, {
    failed: reject,
    connected(opened) {
      session = opened;
      opened.on('error', reject);
      opened.on('connect', () => {
        const request = opened.request({ ':path': '/' });
        request.on('error', reject);
        request.on('response', ({ date }) => resolve(date));
      });
    },
  });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    ended.abort();
    session?.destroy();
  }
}
