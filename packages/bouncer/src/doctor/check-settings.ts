import { isIP } from 'node:net';

import { type Finding, ok, warning } from '@bellhop/postgres';
import { TokenKind } from '@bellhop/protocol/bouncer';

import type { BouncerEnvironment } from '../config/bouncer-config.ts';
import { providers } from '../providers/providers.ts';
import { type SenderConfig, senderFor } from '../providers/sender-config.ts';

const isLoopback = (host: string) =>
  host === 'localhost' || host === '::1' || host.startsWith('127.');

/** Checks for settings that are valid but probably a mistake. */
export const checkSettings = (config: BouncerEnvironment): Finding[] => [
  checkRegistration(config),
  checkProxy(config),
  ...checkWayOut(config),
  ...TokenKind.options
    .filter((kind) => config.senders[kind].length === 0)
    .map((kind) => notConfigured(kind)),
  ...TokenKind.options
    .filter((kind) => lacksDefault(config.senders[kind]))
    .map((kind) =>
      warning(
        `${providers[kind].title}: default`,
        'phones whose registration names no app are refused',
        `Put default: true into an entry of ${kind} in the apps file, unless all apps send android_app_id.`,
      ),
    ),
];

/** Most apps for Android name no app in their registration. */
const lacksDefault = (senders: readonly SenderConfig[]) =>
  senders.length > 0 && senderFor(senders, null) === undefined;

function checkRegistration({ registration: { servers, token } }: BouncerEnvironment): Finding {
  const check = 'registration';
  if (servers === 'any')
    return warning(
      check,
      'everybody who reaches this address may register a chat server and use your credentials',
      'List the servers in BELLHOP_BOUNCER_SERVERS, or remove it and run "bellhop bouncer access invite" for each.',
    );
  if (servers.length > 0) return ok(check, `open to ${servers.length} listed chat servers`);
  if (token !== undefined)
    return ok(check, 'open to chat servers that have BELLHOP_BOUNCER_REGISTRATION_TOKEN');
  return ok(check, 'closed, except for invited servers ("bellhop bouncer access invite")');
}

function checkProxy({ host, behindProxy, metrics }: BouncerEnvironment): Finding {
  const check = 'addresses';
  if (metrics && !isLoopback(metrics.host) && metrics.host === host && isIP(host) !== 0)
    return warning(
      check,
      `/metrics has no login and is served on ${metrics.host}`,
      'Let only Prometheus reach its port, or set BELLHOP_BOUNCER_METRICS_HOST=127.0.0.1.',
    );
  if (behindProxy) return ok(check, `${host}, behind a proxy that sets X-Forwarded-For`);
  return isLoopback(host)
    ? warning(
        check,
        `listens on ${host} and takes all callers for one: behind a proxy they share one rate limit`,
        'Set BELLHOP_BOUNCER_BEHIND_PROXY=true if a proxy with a certificate is in front.',
      )
    : warning(
        check,
        `serves plain HTTP on ${host}`,
        'Put a proxy with a certificate in front, and set BELLHOP_BOUNCER_BEHIND_PROXY=true.',
      );
}

const checkWayOut = ({ proxies: { name } }: BouncerEnvironment): Finding[] =>
  name === undefined ? [] : [ok('proxy', `providers are reached through ${name}`)];

function notConfigured(kind: TokenKind): Finding {
  const { title, settings } = providers[kind];
  return warning(
    `${title}: credentials`,
    'not configured: its phones get nothing',
    `Set ${settings.credential}.`,
  );
}
