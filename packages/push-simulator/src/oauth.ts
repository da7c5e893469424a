import { createPublicKey, randomBytes, verify } from 'node:crypto';

import { parseJwt } from './jwt.ts';
import type { ProviderAnswer, ProviderRequest } from './provider.ts';

const grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const scopes = [
  'https://www.googleapis.com/auth/firebase.messaging',
  'https://www.googleapis.com/auth/cloud-platform',
];
const lifetimeSeconds = 3599;
const skewSeconds = 300;

/** The key file of a Google service account: the fields that push senders read. */
export interface ServiceAccount {
  type: 'service_account';
  project_id: string;
  private_key_id: string;
  private_key: string;
  client_email: string;
  client_id: string;
  token_uri: string;
}

/** Google's token endpoint. Exchanges assertions signed by the service account for access tokens. */
export class OAuth {
  readonly #tokens = new Map<string, number>();
  readonly #account: () => ServiceAccount;
  readonly #now: () => number;

  constructor(account: () => ServiceAccount, now: () => number) {
    this.#account = account;
    this.#now = now;
  }

  /** Whether the `authorization` header has an issued token that has not expired. */
  accepts(authorization: string | string[] | undefined): boolean {
    const token = /^bearer +(\S+)$/i.exec(String(authorization ?? ''))?.[1] ?? '';
    return (this.#tokens.get(token) ?? 0) > this.#now();
  }

  /** `POST /token` (RFC 7523). */
  exchange({ method, body }: ProviderRequest): ProviderAnswer {
    if (method !== 'POST')
      return oauthError('invalid_request', 'The token endpoint takes POST only');
    const form = new URLSearchParams(body.toString('utf8'));
    if (form.get('grant_type') !== grantType) {
      return oauthError('unsupported_grant_type', `The grant type must be ${grantType}`);
    }
    const error = this.#assertionError(form.get('assertion') ?? '');
    if (error !== undefined) return oauthError(error[0], error[1]);
    const token = `ya29.c.${randomBytes(96).toString('base64url')}`;
    this.#tokens.set(token, this.#now() + lifetimeSeconds * 1000);
    const answer = { access_token: token, expires_in: lifetimeSeconds, token_type: 'Bearer' };
    return { status: 200, headers: json, body: JSON.stringify(answer), outcome: 'token' };
  }

  #assertionError(assertion: string): [code: string, description: string] | undefined {
    const account = this.#account();
    const jwt = parseJwt(assertion);
    if (jwt === undefined) return ['invalid_grant', 'The assertion is not a JWT'];
    const { alg, kid } = jwt.header;
    if (alg !== 'RS256') return ['invalid_grant', 'The assertion must be signed with RS256'];
    const { iss, aud, scope, iat, exp } = jwt.claims;
    if (iss !== account.client_email) return ['invalid_grant', 'No such account (iss)'];
    if (kid !== undefined && kid !== account.private_key_id) {
      return ['invalid_grant', 'No such key (kid)'];
    }
    const publicKey = createPublicKey(account.private_key);
    if (!verify('sha256', jwt.signed, publicKey, jwt.signature)) {
      return ['invalid_grant', 'The signature is wrong'];
    }
    if (aud !== account.token_uri) return ['invalid_grant', 'The audience must be the token_uri'];
    if (typeof iat !== 'number' || typeof exp !== 'number') {
      return ['invalid_grant', 'The assertion must have iat and exp'];
    }
    const now = this.#now() / 1000;
    if (iat > now + skewSeconds || exp < now - skewSeconds || exp > iat + 3600 || exp <= iat) {
      return ['invalid_grant', 'iat and exp must be about now and at most an hour apart'];
    }
    const requested = typeof scope === 'string' ? scope.split(' ') : [];
    if (!requested.some((one) => scopes.includes(one))) {
      return ['invalid_scope', 'The scope must be that of Firebase messaging'];
    }
    return undefined;
  }
}

const json = { 'content-type': 'application/json; charset=utf-8' };

/** An error of the token endpoint. */
export function oauthError(error: string, description: string, status = 400): ProviderAnswer {
  const body = JSON.stringify({ error, error_description: description });
  return { status, headers: json, body, outcome: error };
}
