import type { Variable } from '../../settings/variable.ts';

export const apnsVariables = {
  BELLHOP_BOUNCER_APNS_KEY: {
    description: "Text of Apple's .p8 signing key; unset: no notifications to iPhones",
    orFile: true,
  },
  BELLHOP_BOUNCER_APNS_KEY_ID: { description: 'ID of the signing key, 10 characters' },
  BELLHOP_BOUNCER_APNS_TEAM_ID: {
    description: 'ID of the team that owns the signing key, 10 characters',
  },
  BELLHOP_BOUNCER_APNS_URL: {
    description: 'URL of APNs; https://api.sandbox.push.apple.com for development builds',
    default: 'https://api.push.apple.com',
  },
} as const satisfies Record<string, Variable>;
