import { randomUUID } from 'node:crypto';

import { stringifyJson, type TokenKind } from '@bellhop/protocol';

import { type PushPhone, pushRequestTo } from '../../support/push-server.ts';
import { load, requestBytes } from '../load.ts';
import { postgresTime } from '../send/processor-time.ts';
import type { BouncerProcess } from './bouncer-process.ts';
import { pacedRequests } from './paced-requests.ts';

/** One run: rates per second, processor time in microseconds per notification. */
export interface NotifyRun {
  readonly perSecond: number;
  readonly processorTime: number;
  readonly postgresTime: number;
}

/** Notifications of a request. */
const BATCH = 50;
const CONNECTIONS = 8;
/** Notifications of a request whose latency is measured. Each costs more than one of a larger request. */
export const SMALL_BATCH = 10;
const PATH = '/api/v1/remotes/push/e2ee/notify';
/** About as long as the ciphertext of a message of 500 characters. */
export const ENCRYPTED = 'c'.repeat(800);

/** A chat server that sends notifications to its phones, with an Idempotency-Key: none gets lost. */
export class NotifySender {
  readonly #bouncer: BouncerProcess;
  readonly #phones: readonly PushPhone[];
  readonly #postmaster: number;

  constructor(bouncer: BouncerProcess, phones: readonly PushPhone[], postmaster: number) {
    this.#bouncer = bouncer;
    this.#phones = phones;
    this.#postmaster = postmaster;
  }

  /** Sends `count` notifications as fast as the bouncer takes them. */
  async send(kind: TokenKind, count: number, batch = BATCH): Promise<NotifyRun> {
    const { service } = this.#bouncer;
    const requests = this.#bodies(kind, count, batch).map(({ body, key }) =>
      requestBytes({ path: PATH, headers: { ...this.#headers(), 'idempotency-key': key }, body }),
    );
    const times = async () =>
      [await service.processorTime(), postgresTime(this.#postmaster)] as const;
    const before = await times();
    const { perSecond } = await load({
      port: Number(new URL(service.ready.url).port),
      requests,
      from: 0,
      milliseconds: 0,
      atLeast: requests.length,
      connections: CONNECTIONS,
      onResponse: (_, body) => {
        if (body.includes('"queued"')) throw new Error('The bouncer queued a notification');
      },
    });
    const after = await times();
    return {
      perSecond: perSecond * batch,
      processorTime: (after[0] - before[0]) / count,
      postgresTime: (after[1] - before[1]) / count,
    };
  }

  /** Milliseconds of requests with 10 notifications each, at a steady rate. */
  async paced(kind: TokenKind, count: number, perSecond: number): Promise<readonly number[]> {
    return await pacedRequests({
      url: `${this.#bouncer.url}${PATH}`,
      headers: this.#headers(),
      bodies: this.#bodies(kind, count, SMALL_BATCH),
      perSecond: perSecond / SMALL_BATCH,
    });
  }

  #headers() {
    const { authorization } = this.#bouncer.server;
    return { authorization, 'content-type': 'application/json' };
  }

  #bodies(kind: TokenKind, count: number, size: number) {
    const phones = this.#phones.filter((phone) => phone.kind === kind);
    return Array.from({ length: count / size }, (_, batch) => {
      const push_requests = Array.from({ length: size }, (__, index) => {
        const phone = phones[(batch * size + index) % phones.length];
        if (!phone) throw new Error('There is no phone');
        return pushRequestTo(phone, ENCRYPTED);
      });
      const { realmUuid } = this.#bouncer.server;
      const body = stringifyJson({ realm_uuid: realmUuid, push_requests });
      return { key: randomUUID(), body };
    });
  }
}
