import { batchedReads } from '@bellhop/postgres';
import { ApiError } from '@bellhop/protocol/bouncer';
import type { Kysely } from 'kysely';

import type { DeviceName } from '../storage/device-name.ts';
import { sharedCalls } from '../storage/shared-calls.ts';
import type { BouncerTables } from '../storage/tables.ts';
import {
  type Account,
  countDevices,
  hasTokens,
  type NamedToken,
  tokensOfAccounts,
} from './queries.ts';
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
export interface NewRegistration {
  readonly serverUuid: string;
  readonly realmUuid: string;
  readonly name: DeviceName;
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
  readonly #tokens;
  readonly #counted = new Map<string, CountedDevices>();
  readonly #counting = sharedCalls<CountedDevices>();

  constructor(kysely: Db) {
    this.#kysely = kysely;
    this.#accounts = batchedReads((accounts: readonly Account[]) =>
      tokensOfAccounts(kysely, accounts),
    );
    this.#tokens = batchedReads((tokens: readonly NamedToken[]) => hasTokens(kysely, tokens));
  }

  /**
   * Throws PUSH_NOTIFICATIONS_DISALLOWED, which chat servers report to their administrators, if a quota leaves
   * no room. A device that is registered already has room.
   */
  async requireRoom(device: NewRegistration, quotas: Quotas): Promise<void> {
    if (await this.#isRegistered(device, quotas)) return;
    await this.#requireRoom('realm', device.realmUuid, quotas);
    await this.#requireRoom('server', device.serverUuid, quotas);
  }

  /** Throws if the account of a new device has no room. One that is named by its token has no account. */
  async #isRegistered(
    { realmUuid, name, tokenHash }: NewRegistration,
    quotas: Quotas,
  ): Promise<boolean> {
    const { tokenId, pushAccountId } = name;
    if (tokenId !== undefined) return this.#tokens.add({ realmUuid, tokenId });
    const tokens = await this.#accounts.add({ realmUuid, pushAccountId });
    if (tokens.some((hash) => hash.equals(tokenHash))) return true;
    if (tokens.length >= quotas.account_devices) throw full('account_devices', quotas);
    return false;
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
