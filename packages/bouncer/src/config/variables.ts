export interface Variable {
  readonly description: string;
  readonly default?: string;
  /** `NAME_FILE` may name a file that holds the value instead. */
  readonly orFile?: boolean;
}

/** Every environment variable of the bouncer. The documentation is made from this table. */
export const variables = {
  BELLHOP_BOUNCER_DATABASE_URL: {
    description: 'postgresql:// URL of the database; without it the embedded PostgreSQL is used',
    orFile: true,
  },
  BELLHOP_BOUNCER_HOST: { description: 'Address to listen on', default: '127.0.0.1' },
  BELLHOP_BOUNCER_PORT: { description: 'Port to listen on; 0 is any free one', default: '4602' },
  BELLHOP_BOUNCER_BEHIND_PROXY: {
    description: 'true if a proxy sets X-Forwarded-For and X-Forwarded-Proto',
    default: 'false',
  },
  BELLHOP_BOUNCER_KEYS: {
    description:
      'Key pairs that phones seal registrations for: JSON object, public key to private key, base64. To rotate, add a pair; remove the old one when apps have updated',
    orFile: true,
  },
  BELLHOP_BOUNCER_RATE_LIMIT: {
    description: 'Requests per minute of one chat server',
    default: '1000',
  },
  BELLHOP_BOUNCER_RETRY_SECONDS: {
    description: 'How long a notification that a provider cannot take is tried again',
    default: '3600',
  },
  BELLHOP_BOUNCER_APNS_KEY: {
    description: "The text of Apple's .p8 signing key; without it iPhones get nothing",
    orFile: true,
  },
  BELLHOP_BOUNCER_APNS_KEY_ID: { description: 'ID of that key, 10 characters' },
  BELLHOP_BOUNCER_APNS_TEAM_ID: { description: 'ID of the team it belongs to, 10 characters' },
  BELLHOP_BOUNCER_APNS_URL: {
    description: 'Which APNs: https://api.sandbox.push.apple.com for development builds',
    default: 'https://api.push.apple.com',
  },
  BELLHOP_BOUNCER_FCM_ACCOUNT: {
    description: 'JSON key of a Google service account; without it Android phones get nothing',
    orFile: true,
  },
  BELLHOP_BOUNCER_FCM_URL: {
    description: 'Where FCM is',
    default: 'https://fcm.googleapis.com',
  },
  BELLHOP_BOUNCER_PROVIDER_CA: {
    description: 'PEM certificates to trust for APNs and FCM instead of the public authorities',
    orFile: true,
  },
} as const satisfies Record<string, Variable>;

export type VariableName = keyof typeof variables;
