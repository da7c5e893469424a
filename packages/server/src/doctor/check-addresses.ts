import { failed, type Finding, ok, warning } from '@bellhop/postgres';

import type { Config } from '../config.ts';
import { isLoopback, troubleOf, WITHIN_MS } from './reach.ts';

type Settings = Pick<Config, 'externalUrl' | 'host' | 'port' | 'behindProxy' | 'metrics' | 'mail'>;

/** Checks where the server listens, and what people reach at its public address. */
export async function checkAddresses(config: Settings): Promise<readonly Finding[]> {
  return [
    checkPublicUrl(config),
    checkListening(config),
    ...checkOpen(config),
    await checkAnswer(config),
  ];
}

function checkPublicUrl({ externalUrl, behindProxy }: Settings): Finding {
  const check = 'public URL';
  const { protocol, hostname } = new URL(externalUrl);
  if (isLoopback(hostname))
    return warning(
      check,
      `${externalUrl} is an address of this machine alone: links in mails, phones and other people do not reach it`,
      'Set BELLHOP_EXTERNAL_URL to the address that people use, such as https://chat.example.com.',
    );
  if (protocol === 'http:')
    return warning(
      check,
      `${externalUrl} is not encrypted: passwords and keys can be read on the way`,
      'Put a proxy with a certificate in front, and write https in BELLHOP_EXTERNAL_URL.',
    );
  if (!behindProxy)
    return warning(
      check,
      `${externalUrl} needs a proxy with a certificate, and all its callers are taken for one: they share one rate limit`,
      'Set BELLHOP_BEHIND_PROXY=true.',
    );
  return ok(check, externalUrl);
}

function checkListening({ host, port, behindProxy }: Settings): Finding {
  const check = 'addresses';
  const place = `${host}, port ${port}`;
  if (isLoopback(host)) return ok(check, `${place}: reached from this machine alone`);
  return behindProxy
    ? ok(check, `${place}: let only the proxy reach it, whose X-Forwarded-For is believed`)
    : warning(
        check,
        `serves plain HTTP on ${place}`,
        'Put a proxy with a certificate in front, and set BELLHOP_BEHIND_PROXY=true.',
      );
}

/** What is open to whoever reaches it. */
const checkOpen = ({ metrics, externalUrl, mail }: Settings): readonly Finding[] => [
  ...(metrics && !isLoopback(metrics.host)
    ? [
        warning(
          'metrics',
          `/metrics has no login and is served on ${metrics.host}`,
          'Let only Prometheus reach its port, or set BELLHOP_METRICS_HOST=127.0.0.1.',
        ),
      ]
    : []),
  ...(mail.isOutboxReadable && !isLoopback(new URL(externalUrl).hostname)
    ? [
        warning(
          'outbox',
          'owners read the mails of all, and the links in them sign other people in',
          'Set BELLHOP_MAIL_OUTBOX_READABLE=false.',
        ),
      ]
    : []),
];

async function checkAnswer({ externalUrl }: Settings): Promise<Finding> {
  const check = 'answer';
  const url = `${externalUrl}/api/v1/server_settings`;
  try {
    const signal = AbortSignal.timeout(WITHIN_MS);
    const response = await fetch(url, { signal, redirect: 'manual' });
    const text = await response.text();
    if (text.includes('"svc_feature_level"'))
      return ok(check, `a chat server answers at ${externalUrl}`);
    if (text.includes('"SERVICE_UNAVAILABLE"'))
      return warning(
        check,
        `the server at ${externalUrl} cannot work now (status ${response.status})`,
        'Its log and /readyz say why.',
      );
    return failed(
      check,
      `${url} answers with status ${response.status}, not as a chat server`,
      response.status >= 500
        ? 'The proxy does not reach the server: start it, and compare the address in the proxy with BELLHOP_HOST and BELLHOP_PORT.'
        : 'Let the proxy pass all paths of this host to the server, unchanged.',
    );
  } catch (error) {
    const { what, fix } = troubleOf(error, new URL(externalUrl).host);
    return warning(
      check,
      `nobody answers at ${externalUrl}: ${what}`,
      `If the server runs: ${fix}`,
    );
  }
}
