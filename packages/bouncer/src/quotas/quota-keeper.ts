import type { Exchange } from '@bellhop/http';
import { ApiError } from '@bellhop/protocol/bouncer';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';

import { recordAction } from '../audit/audit-log.ts';
import type { Metrics } from '../metrics.ts';
import type { BouncerTables } from '../storage/tables.ts';
import { DeviceCounters } from './device-counters.ts';
import { DeviceStock, type NewRegistration } from './device-stock.ts';
import { markExceeded } from './queries.ts';
import {
  changedQuotas,
  type Quotas,
  type StoredQuotas,
  type RateName,
  rates,
} from './quota-table.ts';
import { reportRates } from './report-rates.ts';
import { SharedCounters, type QuotaUse } from './shared-counters.ts';

interface QuotaKeeperOptions {
  readonly kysely: Kysely<BouncerTables>;
  /** The quotas of servers without values set by the operator. */
  readonly quotas: () => Quotas;
  readonly metrics: Pick<Metrics, 'quotasExceeded'>;
  readonly log: Pick<Logger, 'warn'>;
  /** UNIX milliseconds. */
  readonly now: () => number;
}

interface CallingServer {
  readonly server_uuid: string;
  readonly quotas: StoredQuotas;
}
/** The quotas that a request counts against. */
export interface QuotaRequest {
  readonly rates: readonly RateName[];
  readonly count: number;
  /** The realm, for the quotas of a realm. */
  readonly realmUuid?: string;
}

/** Counts requests, notifications and registrations of chat servers against their quotas, for all nodes. */
export class QuotaKeeper {
  readonly #options: QuotaKeeperOptions;
  readonly #counters: SharedCounters;
  readonly #devices: DeviceCounters;
  readonly #stock: DeviceStock;
  /** By quota and subject: the end of the window that this node has reported as exceeded. */
  readonly #reported = new Map<string, number>();

  constructor(options: QuotaKeeperOptions) {
    this.#options = options;
    this.#counters = new SharedCounters(options);
    this.#devices = new DeviceCounters(this.#counters, options.now);
    this.#stock = new DeviceStock(options.kysely);
  }

  /**
   * Counts against every rate; if one has no room, counts against none and throws RATE_LIMIT_HIT.
   * Sets the headers of the response about the rest of each rate.
   */
  async spend(server: CallingServer, spending: QuotaRequest, exchange: Exchange): Promise<void> {
    const quotas = this.quotasOf(server);
    const uses = spending.rates
      .map((name) => useOf(name, quotas, { server, ...spending }))
      .filter(({ limit }) => limit !== Number.POSITIVE_INFINITY);
    const refused = await this.#counters.take(uses);
    const states = uses.map((use) => ({ ...use, ...this.#counters.stateOf(use) }));
    reportRates(exchange, states, this.#options.now());
    if (!refused) return;
    await this.#reportExceeded(server, refused, spending.realmUuid);
    const { resetMs } = this.#counters.stateOf(refused);
    const { of } = rates[refused.quota as RateName];
    throw new ApiError('RATE_LIMIT_HIT', {
      message: `More than ${refused.limit} ${of} in ${refused.seconds === 60 ? 'a minute' : 'a day'}`,
      data: { 'retry-after': Math.max(1, Math.ceil(resetMs / 1_000)) },
    });
  }

  /** Counts a notification for each device. Returns for each why it may not be sent now, or undefined. */
  async spendOnDevices(
    server: CallingServer,
    realmUuid: string,
    deviceIds: readonly number[],
  ): Promise<(string | undefined)[]> {
    const quota = 'device_notifications_per_minute';
    const { [quota]: limit } = this.quotasOf(server);
    if (limit === Number.POSITIVE_INFINITY) return deviceIds.map(() => undefined);
    const hasRoom = await this.#devices.take(deviceIds, limit);
    const reason = `more than ${limit} notifications to the device in a minute`;
    const refused = deviceIds.filter((_, at) => !hasRoom[at]);
    for (const id of new Set(refused))
      await this.#reportExceeded(
        server,
        { subject: `device ${id}`, quota, seconds: 60 },
        realmUuid,
      );
    return hasRoom.map((has) => (has ? undefined : reason));
  }

  /** Throws PUSH_NOTIFICATIONS_DISALLOWED if there is no room for the device. */
  requireRoom(server: CallingServer, device: Omit<NewRegistration, 'serverUuid'>): Promise<void> {
    return this.#stock.requireRoom(
      { ...device, serverUuid: server.server_uuid },
      this.quotasOf(server),
    );
  }

  /** Gives back what this node has claimed in advance. */
  close(): Promise<void> {
    return this.#counters.close();
  }

  quotasOf({ quotas }: Pick<CallingServer, 'quotas'>): Quotas {
    return changedQuotas(this.#options.quotas(), quotas);
  }

  /** Writes into the audit log, once in each window. */
  async #reportExceeded(
    { server_uuid: serverUuid }: CallingServer,
    { subject, quota, seconds }: Pick<QuotaUse, 'subject' | 'quota' | 'seconds'>,
    realmUuid: string | undefined,
  ): Promise<void> {
    const { kysely, log, metrics, now } = this.#options;
    metrics.quotasExceeded.inc({ quota });
    const key = `${quota} ${subject}`;
    const windowMs = seconds * 1_000;
    if ((this.#reported.get(key) ?? 0) > now()) return;
    for (const [old, end] of this.#reported) if (end <= now()) this.#reported.delete(old);
    this.#reported.set(key, (Math.floor(now() / windowMs) + 1) * windowMs);
    if (!(await markExceeded(kysely, { subject, quota }))) return;
    log.warn({ server: serverUuid, quota, subject }, 'a chat server has exceeded a quota');
    await recordAction(kysely, {
      at: new Date(now()),
      action: 'quota_exceeded',
      serverUuid,
      ...(realmUuid === undefined ? {} : { realmUuid }),
      ...(subject.startsWith('device ') ? { deviceId: Number(subject.slice(7)) } : {}),
      detail: { quota },
    });
  }
}

interface Spender extends QuotaRequest {
  readonly server: CallingServer;
}

const useOf = (
  quota: RateName,
  quotas: Quotas,
  { server, realmUuid, count }: Spender,
): QuotaUse => ({
  subject: quota.startsWith('realm_') ? `realm ${realmUuid}` : `server ${server.server_uuid}`,
  quota,
  limit: quotas[quota],
  seconds: rates[quota].seconds,
  count,
});
