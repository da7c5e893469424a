import type { Variable } from '../../settings/variable.ts';

export const DEFAULT_HOSTS =
  'fcm.googleapis.com,updates.push.services.mozilla.com,*.push.apple.com,*.notify.windows.com';

export const webPushVariables = {
  BELLHOP_BOUNCER_VAPID_KEY: {
    description:
      'Private VAPID key, base64url ("bellhop secrets vapid"); unset: no notifications to browsers',
    orFile: true,
  },
  BELLHOP_BOUNCER_VAPID_SUBJECT: {
    description: 'mailto: or https: address at which push services reach you',
  },
  BELLHOP_BOUNCER_WEBPUSH_HOSTS: {
    description:
      'Hosts of push services that browsers may register with, separated by commas, with the port unless it is 443; *.example.com: all below it; any: every public host',
    default: DEFAULT_HOSTS,
  },
  BELLHOP_BOUNCER_WEBPUSH_ALLOW: {
    description:
      'Networks that push services may be in beside public addresses, such as 10.0.0.0/8, separated by commas',
  },
} as const satisfies Record<string, Variable>;
