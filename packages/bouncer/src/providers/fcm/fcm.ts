import { stringifyJson } from '@bellhop/protocol';

import { H2Failure } from '../../http2/exchange.ts';
import { H2Pool, type H2PoolOptions } from '../../http2/h2-pool.ts';
import type { Provider } from '../provider.ts';
import { judge, networkTrouble, type Verdict } from '../verdict.ts';
import { AccessToken, AccountRefused, type ServiceAccount } from './access-token.ts';
import { type FcmJudgement, judgeFcm } from './fcm-verdicts.ts';

export interface FcmNotification {
  readonly token: string;
  readonly priority: 'high' | 'normal';
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface FcmOptions {
  readonly account: ServiceAccount;
  readonly pool: H2PoolOptions;
  readonly now: () => number;
}

const MAX_DATA_BYTES = 4_096;

/** Google's push service, for one project. */
export function createFcm({
  account,
  pool: poolOptions,
  now,
}: FcmOptions): Provider<FcmNotification> {
  const pool = new H2Pool(poolOptions);
  const accessToken = new AccessToken(account, poolOptions, now);
  const path = `/v1/projects/${account.project_id}/messages:send`;

  async function post(body: string, attempt: number): Promise<FcmJudgement> {
    const bearer = await accessToken.get();
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
    const response = await pool.request({ path, headers, body });
    const judgement = judgeFcm(response, attempt, now());
    if (judgement.unauthenticated) accessToken.refused(bearer);
    return judgement;
  }

  async function send(notification: FcmNotification, attempt: number): Promise<Verdict> {
    const data = textValues(notification.payload);
    if (sizeOf(data) > MAX_DATA_BYTES) return { kind: 'rejected', reason: 'message too large' };
    const body = JSON.stringify({
      message: { token: notification.token, data, android: { priority: notification.priority } },
    });
    try {
      const judgement = await post(body, attempt);
      return judgement.unauthenticated ? (await post(body, attempt)).verdict : judgement.verdict;
    } catch (error) {
      if (error instanceof AccountRefused) return { kind: 'config_error', reason: error.message };
      const reason = error instanceof H2Failure ? error.kind : 'failed';
      return judge({ kind: 'retry', delays: networkTrouble }, reason, { attempt });
    }
  }

  return {
    send,
    state: () => ({ pool: pool.state(), credentialAgeMs: accessToken.age() }),
    close: () => {
      pool.close();
      accessToken.close();
    },
  };
}

/** FCM takes text only: `push_account_id` becomes decimal digits, text stays as it is. */
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
