import { connect } from 'node:http2';

import { clockSkew } from '../providers/clock-skew.ts';
import { failed, type Finding, ok } from './finding.ts';

const WITHIN_MS = 5_000;

interface Reach {
  readonly title: string;
  readonly origin: string;
  /** PEM; undefined: the public certificate authorities. */
  readonly ca: string | undefined;
}

/** Checks name, network, certificate and clock by one harmless request to the provider. */
export async function checkReach({ title, origin, ca }: Reach): Promise<Finding[]> {
  const { host } = new URL(origin);
  const check = `${title}: ${host}`;
  try {
    const date = await dateOf(origin, ca);
    const skew = clockSkew({ date }, Date.now());
    return [
      ok(check, 'reached, over HTTP/2'),
      skew === undefined
        ? ok(`clock: ${host}`, 'agrees with the clock of this machine')
        : failed(`clock: ${host}`, skew, 'Set the clock, and keep it by NTP.'),
    ];
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    return [failed(check, message || code, fixFor(code, host))];
  }
}

function fixFor(code: string, host: string): string {
  if (['ENOTFOUND', 'EAI_AGAIN'].includes(code))
    return `This machine cannot resolve ${host}: check its DNS server.`;
  if (/CERT|SIGNATURE|SSL|TLS/.test(code))
    return "The certificate is not the provider's: does a proxy open the traffic? Except this host, or set BELLHOP_BOUNCER_PROVIDER_CA.";
  if (host.includes('push.apple.com'))
    return 'Let the firewall pass outgoing TCP to port 443. Apple also listens on 2197: append :2197 to BELLHOP_BOUNCER_APNS_URL.';
  return `Let the firewall pass outgoing TCP to ${host}.`;
}

/** The `Date` header of the answer; undefined without one. */
const dateOf = (origin: string, ca: string | undefined) =>
  new Promise<string | undefined>((resolve, reject) => {
    const session = connect(origin, ca === undefined ? {} : { ca });
    const timer = setTimeout(
      () => end(() => reject(new Error(`no answer within ${WITHIN_MS / 1_000} s`))),
      WITHIN_MS,
    );
    const end = (settle: () => void) => {
      clearTimeout(timer);
      settle();
      session.destroy();
    };
    session.on('error', (error) => end(() => reject(error)));
    session.on('connect', () => {
      const request = session.request({ ':path': '/' });
      request.on('error', (error) => end(() => reject(error)));
      request.on('response', ({ date }) => end(() => resolve(date)));
    });
  });
