import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type { PoolClient } from 'pg';

import { type SendOptions, sendQuery } from './send-query.ts';

/** A query sent together with COMMIT. Its rows can be read after the commit. */
export interface Last<Row> {
  readonly rows: Row[];
}

export interface SessionOptions extends SendOptions {
  client: PoolClient;
  begin: string;
  notify: (channel: string, payload: string) => void;
}

/** A class: V8 would keep an object literal with an accessor, and so the transaction, until a full collection. */
class LastRows<Row> implements Last<Row> {
  #rows: Row[] | undefined;

  get rows(): Row[] {
    if (!this.#rows)
      throw new Error('The rows of a `last` query can be read only after the commit');
    return this.#rows;
  }

  take(found: unknown[]): void {
    this.#rows = found as Row[];
  }
}

/** The connection of one transaction. Sends BEGIN with the first query, COMMIT with the `last` ones. */
export class TransactionSession implements DatabaseConnection {
  readonly afterCommit: (() => void)[] = [];
  readonly #options: SessionOptions;
  readonly #last: { query: CompiledQuery; answer: { take: (rows: unknown[]) => void } }[] = [];
  #begin: Promise<unknown> | undefined;
  #hasNotBegun = false;
  readonly #failures: unknown[] = [];
  #isOver = false;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#isOver) throw new Error('The transaction has ended: the query was not sent');
    return await this.#inOnePacket(() => this.#send<Row>(query));
  }

  streamQuery(): never {
    throw new Error('Streaming is not supported: use pages');
  }

  addLast<Row>(query: CompiledQuery<Row>): Last<Row> {
    const answer = new LastRows<Row>();
    this.#last.push({ query, answer });
    return answer;
  }

  addNotification(channel: string, payload: string): void {
    this.afterCommit.push(() => this.#options.notify(channel, payload));
  }

  /** Sends the `last` queries and COMMIT in one packet. Rejects with the first error if rolled back. */
  async commit(): Promise<void> {
    const isEmpty = this.#begin === undefined && this.#last.length === 0;
    const answers = isEmpty ? undefined : this.#inOnePacket(() => this.#sendLast());
    this.#isOver = true;
    if (!answers) return;
    const last = await Promise.allSettled(answers.last);
    const [ended] = await Promise.allSettled([answers.commit, this.#begin]);
    if (ended.status === 'rejected' || this.#hasNotBegun || ended.value.command !== 'COMMIT') {
      throw this.#failures[0] ?? new Error('The database rolled the transaction back');
    }
    for (const [index, { answer }] of this.#last.entries()) {
      const found = last[index];
      if (found?.status === 'fulfilled') answer.take(found.value.rows);
    }
  }

  async rollback(): Promise<void> {
    const isOpen = this.#begin !== undefined && !this.#isOver;
    this.#isOver = true;
    if (isOpen) await this.#control('rollback');
  }

  #sendLast() {
    const last = this.#last.map(({ query }) => this.#send<unknown>(query));
    return { last, commit: this.#remember(this.#control('commit')) };
  }

  /** Sends BEGIN, COMMIT or ROLLBACK. */
  #control(text: string) {
    const { client, responseMs } = this.#options;
    const config = { text, ...(responseMs !== undefined && { query_timeout: responseMs }) };
    return client.query(config);
  }

  #send<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#remember(sendQuery<Row>(this.#options.client, query, this.#options));
  }

  async #remember<Answer>(answer: Promise<Answer>): Promise<Answer> {
    try {
      return await answer;
    } catch (error) {
      this.#failures.push(error);
      throw error;
    }
  }

  /** Sends BEGIN before the first queries, and the queries of one turn of the event loop in one packet. */
  #inOnePacket<Result>(send: () => Result): Result {
    const { client, begin } = this.#options;
    const { stream } = client.connection;
    stream.cork();
    process.nextTick(() => stream.uncork());
    this.#begin ??= this.#remember(this.#control(begin)).catch(() => {
      this.#hasNotBegun = true;
    });
    return send();
  }
}
