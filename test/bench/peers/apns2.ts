import { ApnsClient, ApnsError, Notification } from 'apns2';

import { apnsResult, payloadOf, type PushLibrary } from '../push/push-library.ts';
import { redirectTls } from '../push/redirect-tls.ts';

export const library: PushLibrary = {
  name: 'apns2',
  kind: 'apns',
  async open({ url, ca, apns }) {
    // It has no option for the port or the certificate authority.
    redirectTls(url, ca);
    const client = new ApnsClient({
      team: apns.team_id,
      keyId: apns.key_id,
      signingKey: apns.private_key,
      defaultTopic: apns.topics[0] ?? '',
      host: 'localhost',
    });
    client.on('error', () => {});
    return {
      async send(token, text) {
        try {
          await client.send(new Notification(token, { data: payloadOf(text) }));
          return 'accepted';
        } catch (error) {
          return error instanceof ApnsError ? apnsResult(error.reason) : 'failed';
        }
      },
    };
  },
};
