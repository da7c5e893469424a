import { batchedReads } from '@bellhop/postgres';
import { ApiError } from '@bellhop/protocol/bouncer';
import type { Kysely } from 'kysely';

import { sharedCalls } from '../storage/shared-calls.ts';
import type { BouncerTables } from '../storage/tables.ts';
import { type Account, countDevices, tokensOfAccounts } from './queries.ts';
import type { Quotas, StockName } from './quota-table.ts';

type Db = Kysely<BouncerTables>;

/**
 * How long a count of devices is trusted, in milliseconds, while it is below NEARLY_FULL of the
 * quota.
 */
const COUNT_MS = 10_000;
const NEARLY_FULL = 0.9;

interface CountedDevices {
  readonly count: number;
  readonly at: number;
  /** Registered at this node since. */
  added: number;
}

/** A new registration. */
export interface NewRegistration extends Account {
  readonly serverUuid: string;
  readonly tokenHash: Buffer;
}

/**
 * Limits how many devices exist. Nodes count the devices of a realm and a server anew every ten seconds, so
 * that several nodes together may exceed these quotas by the devices that they register in that
 * time; close to the quota they count each time.
 */
export class DeviceStock {
  readonly #kysely: Db;
  readonly #accounts;
  readonly #counted = new Map<string, CountedDevices>();
  readonly #counting = sharedCalls<CountedDevices>();

  constructor(kysely: Db) {
    this.#kysely = kysely;
    this.#accounts = batchedReads((accounts: readonly Account[]) =>
      tokensOfAccounts(kysely, accounts),
    );
  }

  /**
   * Throws PUSH_NOTIFICATIONS_DISALLOWED, which chat servers report to their administrators, if a quota leaves
   * no room. A device that is registered already has room.
   */
  async requireRoom(device: NewRegistration, quotas: Quotas): Promise<void> {
    const tokens = await this.#accounts.add(device);
    if (tokens.some((hash) => hash.equals(device.tokenHash))) return;
    if (tokens.length >= quotas.account_devices) throw full('account_devices', quotas);
    await this.#requireRoom('realm', device.realmUuid, quotas);
    await this.#requireRoom('server', device.serverUuid, quotas);
  }

  async #requireRoom(of: keyof typeof countDevices, uuid: string, quotas: Quotas): Promise<void> {
    const quota = `${of}_devices` as const;
    const limit = quotas[quota];
    if (limit === Number.POSITIVE_INFINITY) return;
    const key = `${of} ${uuid}`;
    let counted = this.#counted.get(key);
    const isTrusted =
      counted !== undefined &&
      performance.now() - counted.at < COUNT_MS &&
      counted.count + counted.added < limit * NEARLY_FULL;
    if (!counted || !isTrusted) counted = await this.#counting(key, () => this.#count(of, uuid));
    if (counted.count + counted.added >= limit) throw full(quota, quotas);
    counted.added++;
  }

  async #count(of: keyof typeof countDevices, uuid: string): Promise<CountedDevices> {
    const count = await countDevices[of](this.#kysely, uuid);
    const counted = { count, at: performance.now(), added: 0 };
    this.#counted.set(`${of} ${uuid}`, counted);
    return counted;
  }
}

const full = (quota: Exclude<StockName, 'server_realms'>, quotas: Quotas) =>
  new ApiError('PUSH_NOTIFICATIONS_DISALLOWED', {
    message: `No room for another device: ${quota} is ${quotas[quota]}. Ask the operator of the push bouncer`,
  });
