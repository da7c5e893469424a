import { clockOffset, isClockOff } from './clock-offset.ts';
import { type Epoch, type EpochStatements, watchEpoch } from './epoch.ts';
import type { Database } from './open-database.ts';

const CHECK_MS = 60_000;
/** The NOTIFY channel on which a program that noticed a new epoch has the others check. */
const EPOCH_CHANNEL = 'bellhop_epoch';

export interface WatchOptions {
  /** What a new epoch changes. */
  readonly statements: EpochStatements;
  readonly onEpoch?: (epoch: Epoch) => void;
  /** UNIX milliseconds: the clock that is compared with the database's. */
  readonly now: () => number;
  readonly log: Log;
  readonly onError: (error: unknown) => void;
}
export interface Log {
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
}

/** What a program knows about its database, beside its rows. */
export interface DatabaseWatch {
  /** By how many seconds the clock of this node is ahead of the database's; negative: behind. */
  readonly clockOffset: () => number;
  /** For `/readyz`: the offset of the clock, if it is more than clocks that are kept right have. */
  readonly details: () => { clock_offset_seconds?: number };
  /** What happens each minute. */
  readonly check: () => Promise<void>;
  readonly stop: () => void;
}

/**
 * Checks now, each minute, and when another program has noticed a new epoch whether the database is
 * still the same and the clock of this node is that of the database. Call it before anything is written.
 */
export async function watchDatabase<Tables>(
  database: Database<Tables>,
  { statements, onEpoch = () => {}, now, log, onError }: WatchOptions,
): Promise<DatabaseWatch> {
  let offset = 0;
  let warnedOf = 0;
  const checkEpoch = await watchEpoch(database, {
    statements,
    onEpoch: (epoch) => {
      log.warn({ cause: epoch.cause }, EPOCH_WARNINGS[epoch.cause]);
      onEpoch(epoch);
      database.notify(EPOCH_CHANNEL);
    },
  });
  const checkClock = async () => {
    offset = await clockOffset(database.kysely, now);
    if (!isClockOff(offset - warnedOf)) return;
    const fields = { clock_offset_seconds: offset };
    if (isClockOff(offset)) log.warn(fields, CLOCK_WARNING);
    else log.info(fields, 'the clock of this node is right again');
    warnedOf = isClockOff(offset) ? offset : 0;
  };
  await checkClock();
  const check = async () => {
    await checkEpoch();
    await checkClock();
  };
  const checkSoon = () => void check().catch(onError);
  const unlisten = await database.listen(EPOCH_CHANNEL, checkSoon);
  const timer = setInterval(checkSoon, CHECK_MS).unref();
  return {
    clockOffset: () => offset,
    details: () => (isClockOff(offset) ? { clock_offset_seconds: offset } : {}),
    check,
    stop: () => {
      unlisten();
      clearInterval(timer);
    },
  };
}

const CLOCK_WARNING =
  'the clock of this node is not that of the database: times that this node writes are wrong. Set the clocks of both by NTP';
const EPOCH_WARNINGS: Readonly<Record<Epoch['cause'], string>> = {
  restored:
    'the database was restored or copied: all new numbers are higher, and clients register again',
  promoted:
    'the database is on a promoted server: all new numbers are higher, and clients that have seen what it lacks register again',
};
