import { sign } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { json } from 'node:stream/consumers';

import type { ServiceAccount } from '@bellhop/push-simulator';
import { initializeApp } from 'firebase-admin/app';
import { getMessaging } from 'firebase-admin/messaging';

import { payloadOf, type PushLibrary } from '../push/push-library.ts';
import { redirectTls } from '../push/redirect-tls.ts';

export const library: PushLibrary = {
  name: 'firebase-admin',
  kind: 'fcm',
  async open({ url, ca, fcm }) {
    // It has no option for the address or the certificate authority.
    redirectTls(url, ca);
    const app = initializeApp({
      projectId: fcm.project_id,
      credential: { getAccessToken: () => accessToken(fcm, ca) },
    });
    const messaging = getMessaging(app);
    return {
      async send(token, text) {
        const { encrypted_data, push_account_id } = payloadOf(text);
        const data = { encrypted_data, push_account_id: String(push_account_id) };
        try {
          // `sendEach` writes a pseudo-header that a strict HTTP/2 server does not accept.
          await messaging.send({ token, data, android: { priority: 'high' } });
          return 'accepted';
        } catch (error) {
          const code = String((error as { code?: unknown }).code);
          return code.endsWith('registration-token-not-registered') ? 'dead' : 'failed';
        }
      },
    };
  },
};

/** A token of the simulated token endpoint: the library asks Google's, whose address is fixed. */
async function accessToken(account: ServiceAccount, ca: string) {
  const now = Math.floor(Date.now() / 1_000);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ alg: 'RS256', kid: account.private_key_id })}.${part({
    iss: account.client_email,
    scope: 'https://www.googleapis.com/auth/firebase.messaging',
    aud: account.token_uri,
    iat: now,
    exp: now + 3_600,
  })}`;
  const signature = sign('sha256', Buffer.from(signed), account.private_key).toString('base64url');
  const form = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: `${signed}.${signature}`,
  });
  const asked = request(account.token_uri, {
    method: 'POST',
    ca,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  }).end(form.toString());
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return (await json(response)) as { access_token: string; expires_in: number };
}
