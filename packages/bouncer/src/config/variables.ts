import { apnsSettings } from '../providers/apns/apns-settings.ts';
import { fcmSettings } from '../providers/fcm/fcm-settings.ts';
import { webPushSettings } from '../providers/webpush/webpush-settings.ts';
import { defaultQuotas } from '../quotas/quota-table.ts';
import type { Variable } from '../settings/variable.ts';
export type { Variable } from '../settings/variable.ts';

/** Every environment variable of the bouncer. `bellhop bouncer run --help` prints this table. */
export const variables: Readonly<Record<string, Variable>> = {
  BELLHOP_BOUNCER_DATABASE_URL: {
    description: 'postgresql:// URL of the database; unset: the embedded PostgreSQL',
    orFile: true,
  },
  BELLHOP_BOUNCER_HOST: { description: 'Address to listen on', default: '127.0.0.1' },
  BELLHOP_BOUNCER_PORT: { description: 'Port to listen on; 0: any free port', default: '4602' },
  BELLHOP_BOUNCER_METRICS_PORT: {
    description:
      'Port that serves /metrics to Prometheus without a login; 0: any free port; unset: no metrics',
  },
  BELLHOP_BOUNCER_METRICS_HOST: {
    description: 'Address to serve /metrics on',
    default: '127.0.0.1',
  },
  BELLHOP_BOUNCER_STOP_DELAY: {
    description:
      'Seconds for which /readyz answers 503 after SIGTERM, before the port closes: as long as a proxy takes to notice',
    default: '5',
  },
  BELLHOP_BOUNCER_DATABASE_WAIT: {
    description:
      'Seconds for which a start waits for a database that cannot be reached, is starting or is a standby; 0: not at all',
    default: '120',
  },
  BELLHOP_BOUNCER_BEHIND_PROXY: {
    description:
      'true if a proxy sets X-Forwarded-For and X-Forwarded-Proto. Their last entry counts; the header Forwarded (RFC 7239) is not read',
    default: 'false',
  },
  BELLHOP_BOUNCER_KEYS: {
    description:
      'Key pairs that phones seal their registrations for, base64: public:private, more of them separated by commas. Not needed with BELLHOP_BOUNCER_ENCRYPTION_KEY',
    orFile: true,
  },
  BELLHOP_BOUNCER_ENCRYPTION_KEY: {
    description:
      'Secret of 32 characters or more that encrypts the key pairs in the database ("bellhop bouncer keys"). To replace it, write the new one before the old one, separated by a comma, and run "bellhop bouncer keys reseal"',
    orFile: true,
  },
  BELLHOP_BOUNCER_SERVERS: {
    description:
      'Chat servers that may register: their BELLHOP_BOUNCER_ORG_ID, separated by commas; any: everybody who reaches this address. A registered server stays registered',
  },
  BELLHOP_BOUNCER_REGISTRATION_TOKEN: {
    description: 'Secret of 32 characters or more. A chat server that has it too may register',
    orFile: true,
  },
  BELLHOP_BOUNCER_OPERATOR_TOKEN: {
    description:
      'Secret of 32 characters or more that lets you operate the bouncer: by /v1/admin, the commands of "bellhop bouncer" and the console; unset: all are off',
    orFile: true,
  },
  BELLHOP_BOUNCER_FORMER_KEY_SECONDS: {
    description:
      'How long the former key of a chat server stays valid after it has rotated its key, in seconds',
    default: '86400',
  },
  BELLHOP_BOUNCER_AUDIT_DAYS: {
    description: 'How long to keep entries of the audit log, in days',
    default: '365',
  },
  BELLHOP_BOUNCER_TRACES: {
    description:
      'How many traces of notifications to keep ("bellhop trace"), for 3 days at most; 0: none',
    default: '200000',
  },
  BELLHOP_BOUNCER_RATE_LIMIT: {
    description: 'Requests per minute allowed to one chat server',
    default: '1000',
  },
  BELLHOP_BOUNCER_QUOTAS: {
    description: `Other quotas of each chat server than the default ones, separated by commas: ${Object.entries(
      defaultQuotas,
    )
      .map(([name, value]) => `${name}=${value}`)
      .join(', ')}. The value may be unlimited`,
  },
  BELLHOP_BOUNCER_RETRY_SECONDS: {
    description: 'How long to retry a notification while its provider is unavailable, in seconds',
    default: '3600',
  },
  HTTPS_PROXY: {
    description:
      'HTTP proxy for connections to the providers, as http://USER:PASSWORD@proxy.example.com:3128; also https_proxy',
    orFile: true,
  },
  NO_PROXY: {
    description:
      'Hosts, .domains and networks that are reached without HTTPS_PROXY, separated by commas; *: all; also no_proxy',
  },
  BELLHOP_BOUNCER_APPS_FILE: {
    description:
      'YAML or JSON file with the credentials of several teams, apps and projects, instead of the variables of APNs and FCM below; it may have the VAPID key, too',
  },
  ...apnsSettings.variables,
  ...fcmSettings.variables,
  ...webPushSettings.variables,
  BELLHOP_BOUNCER_PROVIDER_CA: {
    description:
      'PEM certificates of authorities to trust for the push providers beside the public ones: of a proxy that opens the traffic, or of a provider of yours',
    orFile: true,
  },
};
