import { failed, type Finding, ok } from '@bellhop/postgres';
import type { TokenKind } from '@bellhop/protocol/bouncer';

import type { BouncerConfig } from '../config/bouncer-config.ts';
import { probeProvider } from '../providers/probe-provider.ts';
import type { ProviderConfigs } from '../providers/provider-configs.ts';
import type { ProviderVerdict } from '../providers/provider-verdict.ts';
import { providers } from '../providers/providers.ts';
import type { EnvironmentConfig, SenderConfig } from '../providers/sender-config.ts';
import { checkPushServices } from './check-push-services.ts';
import { checkReach } from './check-reach.ts';

/** A token that no phone has: the provider checks the credentials first, then refuses it. */
const tokenOfNobody: Readonly<Record<TokenKind, string>> = {
  apns: '0'.repeat(64),
  fcm: 'bellhop-doctor:nobody',
  webpush: 'https://push.example.com/nobody',
};

/** The origins that the bouncer talks to, with one sender. */
function originsOf({ config }: { readonly config: ProviderConfigs[TokenKind] }): string[] {
  if (!('url' in config)) return [];
  return 'account' in config
    ? [new URL(config.account.token_uri).origin, config.url]
    : [config.url];
}

/** Checks every sender of a provider. `app`: an iPhone app to ask for; default: those that are listed. */
export async function checkProvider(
  config: BouncerConfig,
  kind: TokenKind,
  app: string | undefined,
): Promise<Finding[]> {
  const senders: readonly SenderConfig[] = config.senders[kind];
  const found = senders.flatMap((sender) =>
    sender.environments.map((environment) =>
      checkGateway(config, { kind, sender, environment, app: app ?? sender.apps?.[0] }),
    ),
  );
  return (await Promise.all(found)).flat();
}

interface Gateway {
  readonly kind: TokenKind;
  readonly sender: SenderConfig;
  readonly environment: EnvironmentConfig;
  readonly app: string | undefined;
}

/** Checks that a provider can be reached and accepts the credentials. */
async function checkGateway(config: BouncerConfig, gateway: Gateway): Promise<Finding[]> {
  const { kind, environment } = gateway;
  const title = titleOf(gateway);
  const { providerCa: ca, proxies } = config;
  if ('config' in environment && 'hosts' in environment.config)
    return checkPushServices({ title, config: environment.config, ca, proxies });
  const origins = 'config' in environment ? originsOf(environment) : [];
  const reached = await Promise.all(
    [...new Set(origins)].map((origin) => checkReach({ title, origin, ca, proxies })),
  );
  const findings = reached.flat();
  if (findings.some(({ state }) => state === 'failed')) return findings;
  const device = {
    token: tokenOfNobody[kind],
    ios_app_id: gateway.app ?? 'org.example.unknown',
  };
  const verdict = await probeProvider(config, { kind, environment, device });
  return [...findings, findingOf(gateway, verdict)];
}

/** Names the sender unless the variables configure the only one. */
const titleOf = ({ kind, sender, environment }: Gateway): string => {
  const { title } = providers[kind];
  if (sender.name === 'default') return title;
  const many = sender.environments.length > 1 ? `, ${environment.environment}` : '';
  return `${title} (${sender.name}${many})`;
};

function findingOf(gateway: Gateway, verdict: ProviderVerdict): Finding {
  const { title } = providers[gateway.kind];
  const check = `${titleOf(gateway)}: credentials`;
  if (verdict.kind === 'accepted' || verdict.kind === 'dead')
    return ok(check, `accepted by ${title}`);
  const { kind: result, reason } = verdict;
  if (result === 'config_error' && verdict.at === 'clock')
    return failed(check, reason, 'Set the clock, and keep it by NTP.');
  if (result === 'config_error') return failed(check, reason, fixes[gateway.kind](gateway.sender));
  if (result === 'quarantined' && gateway.app !== undefined)
    return failed(
      check,
      reason,
      `Is ${gateway.app} an app of this team, and may the key send to it?`,
    );
  if (result === 'retry' || result === 'overloaded')
    return failed(check, reason, `${title} is overloaded or unreachable: run the doctor again.`);
  return ok(check, `accepted by ${title} (${reason})`);
}

type NamedSender = Pick<SenderConfig, 'name'>;

/** Where the operator configures the sender: a variable, or an entry of the apps file. */
const placeOf = (kind: TokenKind, { name }: NamedSender): string =>
  name === 'default' ? providers[kind].settings.credential : `the entry ${name} of the apps file`;

const fixes: Readonly<Record<TokenKind, (sender: NamedSender) => string>> = {
  apns: (sender) =>
    `Compare ${sender.name === 'default' ? 'BELLHOP_BOUNCER_APNS_KEY_ID and BELLHOP_BOUNCER_APNS_TEAM_ID' : `key_id and team_id of ${placeOf('apns', sender)}`} with developer.apple.com (Keys, Membership): is the key revoked, or of another environment or team?`,
  fcm: (sender) =>
    `In the Google Cloud console, enable the Firebase Cloud Messaging API and give the account of ${placeOf('fcm', sender)} the role "Firebase Cloud Messaging API Admin"; make a new key if this one was deleted.`,
  webpush: (sender) =>
    `Put the private key that "bellhop secrets vapid" prints into ${placeOf('webpush', sender)}.`,
};
