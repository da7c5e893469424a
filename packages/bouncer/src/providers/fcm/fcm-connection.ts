import { stringifyJson } from '@bellhop/protocol/bouncer';

import { H2Pool } from '../../http2/h2-pool.ts';
import type { H2Response } from '../../http2/pending-request.ts';
import { type LinkNotes, noteAnswer } from '../link-notes.ts';
import type { FcmConfig } from '../provider-configs.ts';
import { judgeFailure, type ProviderVerdict } from '../provider-verdict.ts';
import type { ConnectOptions, ProviderConnection, ProviderNotification } from '../provider.ts';
import { AccessToken, AccountRefused, TokenEndpointOverloaded } from './access-token.ts';
import { readFcmRefusal } from './fcm-verdicts.ts';

const MAX_DATA_BYTES = 4_096;

/** Google refuses a message with one of these keys in its data. */
const isReserved = (key: string) =>
  /^(google|gcm)/i.test(key) || ['from', 'message_type', 'collapse_key'].includes(key);

interface PostResult {
  readonly verdict: ProviderVerdict;
  /** The access token that Google did not accept. */
  readonly refusedToken: string | undefined;
}
interface Posting {
  readonly body: string;
  readonly attempt: number;
  readonly notes: LinkNotes;
}

/** Connects to FCM, for one project. */
export function connectFcm(
  { account, url }: FcmConfig,
  { judge, pool: poolOptions, now }: ConnectOptions,
): ProviderConnection<'fcm'> {
  const pool = new H2Pool({ ...poolOptions, origin: url });
  const accessToken = new AccessToken(account, poolOptions, now);
  const path = `/v1/projects/${account.project_id}/messages:send`;

  async function post(bearer: string, { body, attempt, notes }: Posting): Promise<PostResult> {
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
    const response = await pool.request({ path, headers, body });
    noteAnswer(notes, response);
    if (response.status === 200) {
      const verdict = { kind: 'accepted', providerId: nameOf(response) } as const;
      return { verdict, refusedToken: undefined };
    }
    const { isUnauthenticated, ...refusal } = readFcmRefusal(response, now());
    notes.retryAfter = refusal.retryAfter;
    const refusedToken = isUnauthenticated ? bearer : undefined;
    return { verdict: judge(refusal, attempt), refusedToken };
  }

  async function send(
    { device, request, expiresAt }: ProviderNotification<'fcm'>,
    attempt: number,
    notes: LinkNotes = {},
  ): Promise<ProviderVerdict> {
    const data = textValues(request.payload);
    notes.bytes = sizeOf(data);
    notes.maxBytes = MAX_DATA_BYTES;
    if (notes.bytes > MAX_DATA_BYTES) return { kind: 'rejected', reason: 'message too large' };
    const reserved = Object.keys(data).find(isReserved);
    if (reserved !== undefined)
      return { kind: 'rejected', reason: `FCM reserves the key ${reserved} of the payload` };
    const { fcm_priority: priority, fcm_collapse_key: collapse_key } = request;
    const ttl = expiresAt === undefined ? undefined : secondsUntil(expiresAt, now());
    const android = { priority, collapse_key, ttl };
    return postTwice({ message: { token: device.token, data, android } }, attempt, notes);
  }

  /** Google checks the credentials first, then calls the token bad; `validate_only` sends nothing. */
  async function check(): Promise<ProviderVerdict> {
    const message = { token: 'no-phone', data: {} };
    const verdict = await postTwice({ validate_only: true, message }, 0, {});
    return verdict.kind === 'dead' ? { kind: 'accepted', providerId: undefined } : verdict;
  }

  /** Renews an access token that Google does not accept, once. */
  async function postTwice(
    content: object,
    attempt: number,
    notes: LinkNotes,
  ): Promise<ProviderVerdict> {
    const message = { body: JSON.stringify(content), attempt, notes };
    try {
      const { verdict, refusedToken } = await post(await accessToken.get(), message);
      const other = refusedToken && (await accessToken.replace(refusedToken));
      return other === undefined ? verdict : (await post(other, message)).verdict;
    } catch (error) {
      if (error instanceof AccountRefused) {
        const at = error.isClockWrong ? 'clock' : undefined;
        return { kind: 'config_error', reason: error.message, at, isAboutAll: true };
      }
      if (error instanceof TokenEndpointOverloaded)
        return {
          kind: 'overloaded',
          reason: error.message,
          after: error.after,
          isAboutAll: true,
        };
      return judgeFailure(error, attempt);
    }
  }

  return {
    send,
    check,
    state: () => ({ pool: pool.state(), credentialAgeMs: accessToken.age() }),
    close: () => {
      pool.close();
      accessToken.close();
    },
  };
}

/** `projects/PROJECT/messages/ID`. */
function nameOf({ body }: H2Response): string | undefined {
  try {
    const { name } = JSON.parse(body) as { name?: unknown };
    return typeof name === 'string' ? name.slice(0, 200) : undefined;
  } catch {
    return undefined;
  }
}

/** The rest of the time to live: a retry does not prolong it. */
const secondsUntil = (atMs: number, nowMs: number) =>
  `${Math.max(0, Math.ceil((atMs - nowMs) / 1_000))}s`;

/** FCM accepts only text: `push_account_id` becomes decimal digits, text stays as it is. */
function textValues(payload: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(payload).map(([key, value]) => [
      key,
      typeof value === 'string' ? value : stringifyJson(value),
    ]),
  );
}

const sizeOf = (data: Readonly<Record<string, string>>) =>
  Object.entries(data).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
