import { isPushRequestFor } from '@bellhop/protocol/bouncer';

import type { Provider } from '../provider.ts';
import { connectWebPush } from './webpush-connection.ts';
import { webPushSettings } from './webpush-settings.ts';
import { webPushVerdicts } from './webpush-verdicts.ts';

/** The push services of browsers and UnifiedPush distributors (RFC 8030). */
export const webpush: Provider<'webpush'> = {
  title: 'Web Push',
  settings: webPushSettings,
  normalizeToken,
  appOf: ({ token }) => new URL(token).host,
  judgesByApp: true,
  bindsDevicesToKey: true,
  isRequest: isPushRequestFor.webpush,
  expiryOf: ({ webpush_headers: { ttl } }, now) => now + ttl * 1_000,
  countField: 'web_successfully_sent_count',
  retryConcurrency: 64,
  verdicts: webPushVerdicts,
  connect: connectWebPush,
};

/** The endpoint with its host in one form, so that two spellings are one browser. */
function normalizeToken(endpoint: string): string {
  const url = new URL(endpoint);
  url.hostname = url.hostname.replace(/\.$/, '');
  return url.href;
}
