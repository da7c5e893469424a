import type { TokenKind } from '@bellhop/protocol';

import type { BouncerConfig } from '../config/bouncer-config.ts';
import { probeProvider } from '../operator/probe-provider.ts';
import { providers } from '../providers/providers.ts';
import { checkReach } from './check-reach.ts';
import { failed, type Finding, ok } from './finding.ts';

/** A token that no phone has: the provider checks the credentials first, then refuses it. */
const tokenOfNobody: Readonly<Record<TokenKind, string>> = {
  apns: '0'.repeat(64),
  fcm: 'bellhop-doctor:nobody',
  webpush: 'https://push.example.com/nobody',
};

/** The origins that the bouncer talks to, of one provider; browsers choose those of Web Push. */
function originsOf({ providers: { apns, fcm } }: BouncerConfig, kind: TokenKind): string[] {
  if (kind === 'webpush') return [];
  if (kind === 'apns') return apns ? [apns.url] : [];
  return fcm ? [new URL(fcm.account.token_uri).origin, fcm.url] : [];
}

/** Checks that a provider can be reached and accepts the credentials. `app`: an iPhone app to ask for. */
export async function checkProvider(
  config: BouncerConfig,
  kind: TokenKind,
  app: string | undefined,
): Promise<Finding[]> {
  const { title } = providers[kind];
  const reached = await Promise.all(
    [...new Set(originsOf(config, kind))].map((origin) =>
      checkReach({ title, origin, ca: config.providerCa }),
    ),
  );
  const findings = reached.flat();
  if (findings.length === 0 || findings.some(({ state }) => state === 'failed')) return findings;
  return [...findings, await checkCredentials(config, kind, app)];
}

async function checkCredentials(
  config: BouncerConfig,
  kind: TokenKind,
  app: string | undefined,
): Promise<Finding> {
  const { title, credential } = providers[kind];
  const check = `${title}: credentials`;
  const device = { token: tokenOfNobody[kind], ios_app_id: app ?? 'org.example.unknown' };
  const verdict = await probeProvider(config, kind, device);
  if (!verdict || verdict.kind === 'accepted' || verdict.kind === 'dead')
    return ok(check, `accepted by ${title}`);
  const { kind: result, reason } = verdict;
  if (result === 'config_error' && verdict.at === 'clock')
    return failed(check, reason, 'Set the clock, and keep it by NTP.');
  if (result === 'config_error') return failed(check, reason, fixes[kind](credential));
  if (result === 'retry' || result === 'overloaded')
    return failed(check, reason, `${title} is overloaded or unreachable: run the doctor again.`);
  return ok(check, `accepted by ${title} (${reason})`);
}

const fixes: Readonly<Record<TokenKind, (credential: string) => string>> = {
  apns: (credential) =>
    `Compare ${credential}_ID and BELLHOP_BOUNCER_APNS_TEAM_ID with developer.apple.com (Keys, Membership): is the key revoked, or of another environment or team?`,
  fcm: (credential) =>
    `In the Google Cloud console, enable the Firebase Cloud Messaging API and give the account of ${credential} the role "Firebase Cloud Messaging API Admin"; make a new key if this one was deleted.`,
  webpush: (credential) =>
    `Browsers must have subscribed with the public key of ${credential}, which GET /v1/keys shows.`,
};
