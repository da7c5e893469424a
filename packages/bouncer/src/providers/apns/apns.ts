import { isPushRequestFor } from '@bellhop/protocol/bouncer';

import type { Provider } from '../provider.ts';
import { connectApns } from './apns-connection.ts';
import { apnsSettings } from './apns-settings.ts';
import { apnsVerdicts } from './apns-verdicts.ts';

/** Apple's push service. */
export const apns: Provider<'apns'> = {
  title: 'APNs',
  settings: apnsSettings,
  normalizeToken: (token) => token.toLowerCase(),
  appOf: ({ ios_app_id }) => ios_app_id,
  judgesByApp: true,
  bindsDevicesToKey: false,
  isRequest: isPushRequestFor.apns,
  expiryOf: ({ http_headers: { apns_expiration } }, now) =>
    apns_expiration === 0 ? now : apns_expiration && apns_expiration * 1_000,
  countField: 'apple_successfully_sent_count',
  retryConcurrency: 64,
  verdicts: apnsVerdicts,
  connect: connectApns,
};
