import { proxiedFetch } from '@bellhop/http/proxy';
import { failed, type Finding, isClockOff, ok, warning } from '@bellhop/postgres';
import { parseHttpDate } from '@bellhop/protocol/bouncer';

import type { Config } from '../config.ts';
import { isLoopback, troubleOf, WITHIN_MS } from './reach.ts';

/** Checks that the push bouncer can be reached and knows this server. Sends it no realm and no device. */
export async function checkBouncer({
  bouncer,
  proxies,
}: Pick<Config, 'bouncer' | 'proxies'>): Promise<readonly Finding[]> {
  const check = 'bouncer';
  if (!bouncer) return [ok(check, 'none is set: phones and browsers get no pushes')];
  const { orgId, orgKey } = bouncer;
  const url = new URL(bouncer.url);
  const proxy = proxies.for(url);
  try {
    // The one call of a bouncer that needs a login and changes nothing; public ones have it, too.
    const asked = `${bouncer.url}/api/v1/remotes/server/analytics/status`;
    const response = await (proxy ? proxiedFetch(proxies) : fetch)(asked, {
      headers: { authorization: `Basic ${btoa(`${orgId}:${orgKey}`)}` },
      redirect: 'manual',
      signal: AbortSignal.timeout(WITHIN_MS),
    });
    const { status, headers } = response;
    const findings = [
      ok(check, `${url.host}: reached${proxy ? `, through the proxy ${proxy.name}` : ''}`),
      ...clockFinding(headers.get('date'), url.host),
      loginFinding({ status, text: await response.text(), orgId, url: bouncer.url }),
    ];
    if (url.protocol === 'http:' && !isLoopback(url.hostname))
      findings.push(
        warning(
          'bouncer: encryption',
          `the key of this server goes to ${url.host} unencrypted`,
          'Use https in BELLHOP_BOUNCER_URL, unless the network is yours alone.',
        ),
      );
    return findings;
  } catch (error) {
    const { what, fix } = troubleOf(error, url.host);
    return [failed(check, `${url.host}: ${what}`, `Pushes wait meanwhile: ${fix}`)];
  }
}

function clockFinding(date: string | null, host: string): readonly Finding[] {
  const seconds =
    date === null ? Number.NaN : Math.round((Date.now() - parseHttpDate(date)) / 1000);
  if (Number.isNaN(seconds)) return [];
  const check = `clock: ${host}`;
  if (!isClockOff(seconds)) return [ok(check, 'agrees with the clock of this machine')];
  return [
    failed(
      check,
      `the clock of this machine is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} the bouncer's`,
      'Let both keep time by NTP (timedatectl set-ntp true).',
    ),
  ];
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly orgId: string;
  readonly url: string;
}

function loginFinding({ status, text, orgId, url }: Answer): Finding {
  const check = 'bouncer: registration';
  if (status === 200 && text.includes('"last_realm_count_id"'))
    return ok(check, `knows this server, ${orgId}`);
  if (status === 401 || status === 403) {
    const [, reason = `status ${status}`] = /"msg":"((?:[^"\\]|\\.){1,200})"/.exec(text) ?? [];
    return warning(
      check,
      `does not know this server, or not with this key: ${reason}`,
      'A server that starts registers itself: with an invitation of the operator in BELLHOP_BOUNCER_REGISTRATION_TOKEN, if they want one. If it was registered, BELLHOP_BOUNCER_ORG_ID and BELLHOP_BOUNCER_ORG_KEY must be those of that time.',
    );
  }
  return failed(
    check,
    `${url} answers with status ${status}, not as a push bouncer`,
    'Compare BELLHOP_BOUNCER_URL with what its operator gave you.',
  );
}
