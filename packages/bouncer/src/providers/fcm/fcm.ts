import { isPushRequestFor } from '@bellhop/protocol/bouncer';

import type { Provider } from '../provider.ts';
import { connectFcm } from './fcm-connection.ts';
import { fcmSettings } from './fcm-settings.ts';
import { fcmVerdicts } from './fcm-verdicts.ts';

/** Google's push service. */
export const fcm: Provider<'fcm'> = {
  title: 'FCM',
  settings: fcmSettings,
  normalizeToken: (token) => token,
  appOf: ({ android_app_id }) => android_app_id,
  judgesByApp: false,
  bindsDevicesToKey: false,
  isRequest: isPushRequestFor.fcm,
  expiryOf: ({ fcm_ttl }, now) => (fcm_ttl === undefined ? undefined : now + fcm_ttl * 1_000),
  countField: 'android_successfully_sent_count',
  retryConcurrency: 64,
  verdicts: fcmVerdicts,
  connect: connectFcm,
};
