import { stringifyJson } from '@bellhop/protocol';

import { H2Failure, type H2Response } from '../../http2/exchange.ts';
import { H2Pool, type H2PoolOptions } from '../../http2/h2-pool.ts';
import type { Provider } from '../provider.ts';
import { judge, networkTrouble, type Verdict } from '../verdict.ts';
import { judgeApns } from './apns-verdicts.ts';
import { MassDeath } from './mass-death.ts';
import { ProviderToken, type SigningKey } from './provider-token.ts';

export interface ApnsNotification {
  /** UUID, the same for every attempt, so that Apple's log shows repetitions as such. */
  readonly id: string;
  readonly token: string;
  readonly topic: string;
  readonly headers: {
    readonly apns_priority: number;
    readonly apns_push_type: string;
  };
  readonly payload: object;
}

export interface ApnsOptions {
  readonly key: SigningKey;
  readonly pool: H2PoolOptions;
  readonly now: () => number;
}

const MAX_PAYLOAD_BYTES = 4_096;

/** Apple's push service, for one environment, team and key: its own connections and its own token. */
export function createApns({
  key,
  pool: poolOptions,
  now,
}: ApnsOptions): Provider<ApnsNotification> {
  const pool = new H2Pool(poolOptions);
  const providerToken = new ProviderToken(key, now);
  const massDeath = new MassDeath(now);

  async function send(notification: ApnsNotification, attempt: number): Promise<Verdict> {
    const body = stringifyJson(notification.payload);
    if (Buffer.byteLength(body) > MAX_PAYLOAD_BYTES)
      return { kind: 'rejected', reason: 'PayloadTooLarge' };
    const bearer = providerToken.get();
    let response: H2Response;
    try {
      response = await pool.request({
        path: `/3/device/${notification.token}`,
        headers: {
          authorization: `bearer ${bearer}`,
          'apns-id': notification.id,
          'apns-topic': notification.topic,
          'apns-priority': String(notification.headers.apns_priority),
          'apns-push-type': notification.headers.apns_push_type,
          'content-type': 'application/json',
        },
        body,
      });
    } catch (error) {
      const reason = error instanceof H2Failure ? error.kind : 'failed';
      return judge({ kind: 'retry', delays: networkTrouble }, reason, { attempt });
    }
    const { verdict, first } = judgeApns(response, attempt, now());
    if (first === 'retire_connection') pool.retireSessions();
    if (first === 'renew_token' && verdict.kind === 'retry') {
      const wait = providerToken.refused(bearer) / 1_000;
      return { ...verdict, after: Math.max(verdict.after, wait) };
    }
    return massDeath.doubt(verdict);
  }

  return {
    send,
    state: () => ({ pool: pool.state(), credentialAgeMs: providerToken.age() }),
    close: () => pool.close(),
  };
}
