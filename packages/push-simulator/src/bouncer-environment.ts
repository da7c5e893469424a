import type { DeviceKind } from './device-kind.ts';
import type { ServiceAccount } from './oauth.ts';
import type { ApnsKey } from './provider-token.ts';
import type { VapidKey } from './vapid.ts';

/** The addresses and credentials that a sender needs to use a simulator. */
export interface SimulatedProviders {
  readonly apns_url: string;
  readonly fcm_url: string;
  readonly ca: string;
  /** Without it, the sender sends to no browsers. */
  readonly webpush_url?: string;
  readonly credentials: {
    readonly apns: ApnsKey;
    readonly fcm: ServiceAccount;
    readonly webpush?: VapidKey;
  };
}

/** The environment variables with which `bellhop bouncer` sends to a simulator. */
export function bouncerEnvironment(simulator: SimulatedProviders): Record<string, string> {
  const environment: Record<string, string> = { BELLHOP_BOUNCER_PROVIDER_CA: simulator.ca };
  for (const variablesOf of Object.values(variables))
    Object.assign(environment, variablesOf(simulator));
  return environment;
}

const variables: Readonly<
  Record<DeviceKind, (simulator: SimulatedProviders) => Record<string, string>>
> = {
  apns: ({ apns_url, credentials: { apns } }) => ({
    BELLHOP_BOUNCER_APNS_URL: apns_url,
    BELLHOP_BOUNCER_APNS_TEAM_ID: apns.team_id,
    BELLHOP_BOUNCER_APNS_KEY_ID: apns.key_id,
    BELLHOP_BOUNCER_APNS_KEY: apns.private_key,
  }),
  fcm: ({ fcm_url, credentials: { fcm } }) => ({
    BELLHOP_BOUNCER_FCM_URL: fcm_url,
    BELLHOP_BOUNCER_FCM_ACCOUNT: JSON.stringify(fcm),
  }),
  webpush: ({ webpush_url, credentials: { webpush } }) =>
    webpush_url === undefined || webpush === undefined
      ? {}
      : {
          BELLHOP_BOUNCER_VAPID_KEY: webpush.private_key,
          BELLHOP_BOUNCER_VAPID_SUBJECT: webpush.subject,
          BELLHOP_BOUNCER_WEBPUSH_HOSTS: new URL(webpush_url).host,
          BELLHOP_BOUNCER_WEBPUSH_ALLOW: '127.0.0.0/8',
        },
};
