import { ApiError } from '@bellhop/protocol/contract';

import { limitedAddress } from './client-address.ts';

/** The part of one request in the bytes that are held. */
export interface HeldBody {
  /** Counts bytes that have come. Throws RATE_LIMIT_HIT if the address already holds as much as is free. */
  readonly add: (bytes: number) => void;
  /** The request has been answered. */
  readonly release: () => void;
}

/** So much of each body counts nowhere, as headers do not: an ordinary message always finds a place. */
export const UNCOUNTED_BYTES = 16_384;

/**
 * The bytes of request bodies that are in memory until their requests are answered. An address may hold as
 * much as is free, so that one of them has half of the limit at most. See
 * docs/decisions/0092-bodies-in-flight.md.
 */
export class BodiesInFlight {
  readonly #limit: number;
  readonly #held = new Map<string, number>();
  #total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The body of a request of this address. */
  of(ip: string): HeldBody {
    // Almost no request counts anything, so the address is read late.
    let address: string | undefined;
    let size = 0;
    let counted = 0;
    return {
      add: (bytes) => {
        size += bytes;
        const more = Math.max(size - UNCOUNTED_BYTES, 0) - counted;
        if (more === 0) return;
        address ??= limitedAddress(ip);
        const held = this.#held.get(address) ?? 0;
        if (held + more > this.#limit - this.#total) throw tooManyBytes();
        this.#count(address, more);
        counted += more;
      },
      release: () => {
        if (address !== undefined) this.#count(address, -counted);
        counted = 0;
      },
    };
  }

  #count(address: string, bytes: number): void {
    this.#total += bytes;
    const held = (this.#held.get(address) ?? 0) + bytes;
    if (held > 0) this.#held.set(address, held);
    else this.#held.delete(address);
  }
}

const tooManyBytes = () =>
  new ApiError('RATE_LIMIT_HIT', {
    message: 'Too many large requests are under way. Try again in a second.',
    data: { 'retry-after': 1 },
  });

/** Those of this process: every service that reads bodies counts here. */
export const bodiesInFlight = new BodiesInFlight(134_217_728);
