import { randomUUID, sign } from 'node:crypto';
import { type ClientHttp2Session, connect } from 'node:http2';

import { payloadOf, type PushLibrary, type SendResult } from './push-library.ts';

const SESSIONS = 4;

/** As little as a program can do to send the same bytes: no retries, no timeouts, no verdicts. */
export const library: PushLibrary = {
  name: 'bare node:http2',
  kind: 'apns',
  async open({ url, ca, apns }) {
    const sessions = Array.from({ length: SESSIONS }, () => connect(url, { ca }));
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const now = Math.floor(Date.now() / 1_000);
    const signed = `${part({ alg: 'ES256', kid: apns.key_id })}.${part({ iss: apns.team_id, iat: now })}`;
    const signature = sign('sha256', Buffer.from(signed), {
      key: apns.private_key,
      dsaEncoding: 'ieee-p1363',
    });
    const authorization = `bearer ${signed}.${signature.toString('base64url')}`;
    let turn = 0;
    return {
      send: (token, text) => {
        const session = sessions[turn++ % SESSIONS];
        if (!session) throw new Error('There is no session');
        return post(session, {
          token,
          body: JSON.stringify({ ...payloadOf(text), aps: {} }),
          headers: {
            authorization,
            'apns-id': randomUUID(),
            'apns-topic': apns.topics[0] ?? '',
            'apns-priority': '10',
            'apns-push-type': 'alert',
            'content-type': 'application/json',
          },
        });
      },
    };
  },
};

interface ApnsRequest {
  readonly token: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function post(session: ClientHttp2Session, { token, headers, body }: ApnsRequest) {
  return new Promise<SendResult>((resolve) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': `/3/device/${token}`,
      ...headers,
    });
    let status = 0;
    stream.on('response', (received) => (status = received[':status'] ?? 0));
    stream.on('data', () => {});
    stream.on('error', () => {});
    stream.on('close', () => resolve(status === 200 ? 'accepted' : 'failed'));
    stream.end(body);
  });
}
