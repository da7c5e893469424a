import { limitedAddress } from '@bellhop/http';
import type { Narrow } from '@bellhop/protocol';

import type { User } from '../../../engine/caller.ts';
import { personOf, Turns } from '../../../engine/turns.ts';

/** Searches that run at a time: some take seconds, and a node has ten connections to the database. */
const searches = new Turns({
  atOnce: 4,
  ofOne: 20,
  refusal: 'The server is still working on 20 searches of yours.',
});

interface NarrowCall {
  /** Null for a spectator: the address takes the turns. */
  readonly user: User | null;
  readonly ip: string;
  readonly params: { readonly narrow?: Narrow | null };
}

/**
 * Runs the work of a call with a narrow. If the narrow searches, negated or not, the work waits for
 * the turn of its person: begin it before anything holds a connection. Throws RATE_LIMIT_HIT.
 */
export const inSearchTurn = <Result>(
  { user, ip, params }: NarrowCall,
  work: () => Promise<Result>,
): Promise<Result> =>
  params.narrow?.some(({ operator }) => operator === 'search')
    ? searches.run(user ? personOf(user) : `address ${limitedAddress(ip)}`, work)
    : work();
