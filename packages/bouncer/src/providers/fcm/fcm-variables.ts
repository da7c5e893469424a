import type { Variable } from '../../settings/variable.ts';

export const fcmVariables = {
  BELLHOP_BOUNCER_FCM_ACCOUNT: {
    description: 'JSON key of a Google service account; unset: no notifications to Android phones',
    orFile: true,
  },
  BELLHOP_BOUNCER_FCM_URL: {
    description: 'URL of FCM',
    default: 'https://fcm.googleapis.com',
  },
} as const satisfies Record<string, Variable>;
