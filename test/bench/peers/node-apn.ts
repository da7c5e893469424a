import { Notification, Provider } from '@parse/node-apn';

import { apnsResult, payloadOf, type PushLibrary } from '../push/push-library.ts';

export const library: PushLibrary = {
  name: '@parse/node-apn',
  kind: 'apns',
  async open({ url, ca, apns }) {
    const { hostname, port } = new URL(url);
    const provider = new Provider({
      token: { key: apns.private_key, keyId: apns.key_id, teamId: apns.team_id },
      production: true,
      address: hostname,
      port: Number(port),
      ca: [ca],
    });
    const topic = apns.topics[0] ?? '';
    return {
      async send(token, text) {
        const notification = new Notification({ aps: {}, payload: payloadOf(text) });
        Object.assign(notification, { topic, pushType: 'alert', priority: 10 });
        const { sent, failed } = await provider.send(notification, token);
        if (sent.length > 0) return 'accepted';
        return apnsResult(failed[0]?.response?.reason);
      },
    };
  },
};
