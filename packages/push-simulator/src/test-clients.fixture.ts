import { sign } from 'node:crypto';
import { once } from 'node:events';
import {
  type ClientHttp2Session,
  connect,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2';

import type { ApnsKey, ServiceAccount } from './push-simulator.ts';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The body as JSON; undefined if there is none. */
  body: unknown;
}

/** Opens an HTTP/2 connection and waits for the server's settings. */
export async function openSession(url: string, ca: string): Promise<ClientHttp2Session> {
  const session = connect(url, { ca });
  session.on('error', () => undefined);
  await once(session, 'remoteSettings');
  return session;
}

/** Sends one request. Rejects if there is no answer. */
export function ask(
  session: ClientHttp2Session,
  headers: OutgoingHttpHeaders,
  body: string | Buffer = '',
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const stream = session.request({ ':method': 'POST', ...headers });
  let answered: IncomingHttpHeaders | undefined;
  let text = '';
  stream.setEncoding('utf8');
  stream.on('response', (received) => (answered = received));
  stream.on('data', (chunk: string) => (text += chunk));
  stream.on('error', reject);
  stream.on('close', () => {
    if (answered === undefined) {
      reject(new Error(`No answer, code ${stream.rstCode}`));
      return;
    }
    const json = String(answered['content-type']).startsWith('application/json');
    const parsed: unknown = json && text !== '' ? JSON.parse(text) : undefined;
    resolve({ status: Number(answered[':status']), headers: answered, text, body: parsed });
  });
  stream.end(body);
  return promise;
}

/** A provider token for Apple; `seconds` is its `iat`. */
export function providerToken(key: ApnsKey, seconds: number, changes: object = {}): string {
  const header = { alg: 'ES256', kid: key.key_id };
  const claims = { iss: key.team_id, iat: seconds, ...changes };
  return jwt(header, claims, (text) =>
    sign('sha256', text, { key: key.private_key, dsaEncoding: 'ieee-p1363' }),
  );
}

/** An assertion for Google; `seconds` is its `iat`. */
export function assertion(account: ServiceAccount, seconds: number, changes: object = {}): string {
  const header = { alg: 'RS256', kid: account.private_key_id };
  const claims = {
    iss: account.client_email,
    scope: 'https://www.googleapis.com/auth/firebase.messaging',
    aud: account.token_uri,
    iat: seconds,
    exp: seconds + 3600,
    ...changes,
  };
  return jwt(header, claims, (text) => sign('sha256', text, account.private_key));
}

/** The body of a request to the token endpoint. */
export function tokenForm(text: string): string {
  return new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: text,
  }).toString();
}

function jwt(header: object, claims: object, signer: (text: Buffer) => Buffer): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part(header)}.${part(claims)}`;
  return `${signed}.${signer(Buffer.from(signed)).toString('base64url')}`;
}
