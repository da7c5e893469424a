import { type Exchange, limitedAddress, type RateLimit, type RateRule } from '@bellhop/http';

import { Turns } from './turns.ts';

/**
 * A look-up of an object that a client without a login names: the owner of an API key, the realm of
 * a host name, a file.
 */
export type LookUp = <T>(find: () => Promise<T | undefined>) => Promise<T | undefined>;

/** Limits the calls of an address without a login. */
export interface AddressLimit {
  /** Counts a request. Throws RATE_LIMIT_HIT. */
  readonly count: (exchange: Exchange) => Promise<void>;
  /**
   * Look-ups of this address. One that finds nothing counts as a request; when the limit is used up,
   * `find` is not called. Throws RATE_LIMIT_HIT.
   */
  readonly lookUpFor: (exchange: Exchange) => LookUp;
}

/**
 * Concurrent look-ups of one address. They are counted when they have found nothing, so an address
 * exceeds its limit by less than this number.
 */
const MAX_RUNNING = 10;

/** How many times the limit of one person the people behind an address share. */
const PEOPLE = 20;

/** The limit of look-ups by which users are found when others have used up that of their address. */
export const sharedRules = (rules: readonly RateRule[]): readonly RateRule[] =>
  rules.map(({ count, seconds }) => ({ count: count * PEOPLE, seconds }));

export function addressLimit(limit: RateLimit): AddressLimit {
  const byAddress = new Map<string, Turns>();
  const inTurn = async <T>(address: string, work: () => Promise<T>): Promise<T> => {
    const own = byAddress.get(address) ?? new Turns({ atOnce: MAX_RUNNING });
    byAddress.set(address, own);
    try {
      return await own.run(address, work);
    } finally {
      if (own.isIdle) byAddress.delete(address);
    }
  };
  return {
    count: (exchange) => limit(limitedAddress(exchange.ip), exchange),
    lookUpFor: (exchange) => (find) => {
      const address = limitedAddress(exchange.ip);
      return inTurn(address, async () => {
        await limit.requireRoom(address, exchange);
        const found = await find();
        if (found === undefined) await limit(address, exchange);
        return found;
      });
    },
  };
}
