import { Client, type ClientBase, type ClientConfig, Pool, type PoolClient } from 'pg';

import { asUnavailable, DatabaseUnavailable } from './database-unavailable.ts';
import { FlushConnection, type FlushWitness } from './flush-connection.ts';
import { isReusable } from './send-query.ts';
import { sessionOf, startSession } from './session.ts';
import { valueParsers } from './value-parsers.ts';
import { responseMs, type WorkLimits } from './work-limits.ts';

interface ConnectionsOptions {
  readonly config: ClientConfig;
  readonly max: number;
  readonly limits: WorkLimits;
  readonly flushMs?: number | undefined;
  readonly onError: (error: unknown) => void;
}

/** Checks the server that a connection leads to. */
type CheckServer = (client: ClientBase) => Promise<void>;

/** The connections of a Database: a pool for queries, and one for flushes. */
export class Connections {
  readonly pool: Pool;
  readonly #flushes: FlushConnection;
  readonly #max: number;
  readonly #limits: WorkLimits;
  #check: CheckServer | undefined;
  /** The newest database that was checked, or is being checked. */
  #checked: { readonly place: string; readonly result: Promise<void> } | undefined;

  constructor({ config, max, limits, flushMs, onError }: ConnectionsOptions) {
    this.#max = max;
    this.#limits = limits;
    const options = {
      ...config,
      Client,
      types: valueParsers,
      pipeline: true,
      max,
      idleTimeoutMillis: 60_000,
      // Its promise is awaited, whatever the types say.
      onConnect: (client: ClientBase) =>
        // The pool makes its connections of the class above.
        this.#inTime(client as Client, async () => {
          await startSession(client, limits);
          await this.#checkOnce(client);
        }),
    };
    this.pool = new Pool(options as ConstructorParameters<typeof Pool>[0]);
    // The queries of a lost connection reject; without a listener the error would also end the process.
    this.pool.on('connect', (client) => client.on('error', () => {}));
    this.pool.on('error', onError);
    this.#flushes = new FlushConnection({ config, onError, flushMs });
  }

  /** Takes a connection of the pool. Rejects with DatabaseUnavailable. */
  async take(): Promise<PoolClient> {
    try {
      return await this.pool.connect();
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  /**
   * Runs `check` now, and later with the first connection to another server or database: until it
   * has passed, no connection to it is used. Returns a function that runs it again.
   */
  async checkServers(check: CheckServer): Promise<() => Promise<void>> {
    this.#check = check;
    const again = async () => {
      this.#checked = undefined;
      const client = await this.take();
      try {
        await this.#inTime(client, () => this.#checkOnce(client));
      } catch (error) {
        throw asUnavailable(error);
      } finally {
        client.release(!isReusable(client));
      }
    };
    await again();
    return again;
  }

  /** Closes a connection that does not answer: all new ones wait for the check that it makes. */
  async #inTime({ connection }: Client, work: () => Promise<void>): Promise<void> {
    const close = () => connection.stream.destroy();
    const limitMs = responseMs(this.#limits);
    const late = limitMs === undefined ? undefined : setTimeout(close, limitMs);
    try {
      await work();
    } finally {
      clearTimeout(late);
    }
  }

  async #checkOnce(client: ClientBase): Promise<void> {
    if (!this.#check) return;
    const { server, database } = sessionOf(client);
    const place = `${server} ${database}`;
    if (this.#checked?.place !== place) this.#checked = { place, result: this.#check(client) };
    const { result } = this.#checked;
    try {
      await result;
    } catch (error) {
      if (this.#checked?.result === result) this.#checked = undefined;
      throw error;
    }
  }

  /** Opens the connection for flushes if it is not open. Rejects with DatabaseUnavailable. */
  async witness(): Promise<FlushWitness> {
    try {
      return await this.#flushes.witness();
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  /**
   * Takes a connection to the server of the witness. Closes connections to another server, which a
   * failover leaves behind. Rejects with DatabaseUnavailable if new connections lead to another
   * server too: then the witness itself was left behind.
   */
  async takeOn(witness: FlushWitness): Promise<PoolClient> {
    for (let tries = 0; tries <= this.#max; tries += 1) {
      const client = await this.take();
      if (sessionOf(client).server === witness.server) return client;
      client.release(true);
    }
    this.#flushes.drop();
    throw new DatabaseUnavailable({
      cause: new Error('The connections of this program lead to different servers'),
    });
  }

  async close(): Promise<void> {
    await Promise.all([this.pool.end(), this.#flushes.close()]);
  }
}
