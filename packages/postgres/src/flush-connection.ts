import { Client, type ClientConfig } from 'pg';

import { GroupFlush } from './group-flush.ts';
import { serverSql, sessionOf, startSession } from './session.ts';
import { workLimits } from './work-limits.ts';

// The commit of this record waits for the disk, and so for everything committed before it.
export const flushSql = "select pg_logical_emit_message(true, 'bellhop', '')";
const witnessSql = `${flushSql}, ${serverSql} as server`;

/** How long a flush may take. Then the connection is closed, and all callers that wait get an error. */
const FLUSH_MS = 10_000;

/**
 * Vouches for commits that it has seen: its connection has been open since before them. A connection
 * that was opened later may lead to a server that never had them.
 */
export interface FlushWitness {
  /** The server that it is connected to. */
  readonly server: string;
  /**
   * Resolves when everything committed on its server before the call is on disk. Rejects if the
   * connection was lost since it was opened, or does not answer.
   */
  readonly durable: () => Promise<void>;
}

interface FlushOptions {
  readonly config: ClientConfig;
  readonly onError: (error: unknown) => void;
  /** Time limit of a flush. Default 10 s. */
  readonly flushMs?: number | undefined;
}

/** One connection for flushes. Opened when it is needed, and again after it was lost. */
export class FlushConnection {
  readonly #options: FlushOptions;
  #witness: Promise<FlushWitness> | undefined;
  #client: Client | undefined;

  constructor(options: FlushOptions) {
    this.#options = options;
  }

  /** Call it before the transaction, or the read, that the witness shall vouch for. */
  witness(): Promise<FlushWitness> {
    this.#witness ??= this.#open();
    return this.#witness;
  }

  /** Closes the connection: it leads to another server than newer connections. */
  drop(): void {
    this.#witness = undefined;
    this.#client?.connection.stream.destroy();
  }

  async close(): Promise<void> {
    await this.#witness?.catch(() => undefined);
    await this.#client?.end();
  }

  async #open(): Promise<FlushWitness> {
    const { config, onError, flushMs = FLUSH_MS } = this.#options;
    const client = new Client({ ...config, pipeline: true });
    this.#client = client;
    const lost = () => {
      if (this.#client === client) this.#witness = undefined;
    };
    client.on('end', lost);
    client.on('error', (error) => {
      lost();
      onError(error);
    });
    try {
      await client.connect();
      await startSession(client, workLimits.request);
    } catch (error) {
      lost();
      await client.end().catch(() => {});
      throw error;
    }
    const { server } = sessionOf(client);
    const group = new GroupFlush(async () => {
      const query = { name: 'flush', text: witnessSql, query_timeout: flushMs };
      const { rows } = await client.query<{ server: string }>(query);
      if (rows[0]?.server !== server)
        throw new Error('The connection for flushes leads to another server than before');
    });
    const durable = async () => {
      try {
        await group.durable();
      } catch (error) {
        // One failure ends the witness: the fate of the commits before it is unknown.
        lost();
        client.connection.stream.destroy();
        throw error;
      }
    };
    return { server, durable };
  }
}
