import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type { PoolClient } from 'pg';

import { sendQuery } from './send-query.ts';
import type { StatementNames } from './statement-names.ts';
import type { Last } from './transaction.ts';

interface SessionOptions {
  client: PoolClient;
  nameOf: StatementNames;
  begin: string;
  notify: (channel: string, payload: string) => void;
}

/** A class: V8 would keep a literal with an accessor, and the transaction, until a full collection. */
class LastAnswer<Row> implements Last<Row> {
  #rows: Row[] | undefined;

  get rows(): Row[] {
    if (!this.#rows) throw new Error('The rows of a last query are there only after the commit');
    return this.#rows;
  }

  take(found: unknown[]): void {
    this.#rows = found as Row[];
  }
}

/** The connection of one transaction. BEGIN travels with the first query, COMMIT with the last ones. */
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
    if (this.#isOver) throw new Error('This transaction has ended: a query came too late');
    return await this.#together(() => this.#send<Row>(query));
  }

  streamQuery(): never {
    throw new Error('Streaming is not supported: read in pages instead');
  }

  addLast<Row>(query: CompiledQuery<Row>): Last<Row> {
    const answer = new LastAnswer<Row>();
    this.#last.push({ query, answer });
    return answer;
  }

  addNotification(channel: string, payload: string): void {
    this.afterCommit.push(() => this.#options.notify(channel, payload));
  }

  /** Sends the last queries and COMMIT together; rejects with the error that made it a rollback. */
  async commit(): Promise<void> {
    const isEmpty = this.#begin === undefined && this.#last.length === 0;
    const answers = isEmpty ? undefined : this.#together(() => this.#sendLast());
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
    if (isOpen) await this.#options.client.query('rollback');
  }

  #sendLast() {
    const last = this.#last.map(({ query }) => this.#send<unknown>(query));
    return { last, commit: this.#remember(this.#options.client.query('commit')) };
  }

  #send<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#remember(sendQuery<Row>(this.#options.client, query, this.#options.nameOf));
  }

  async #remember<Answer>(answer: Promise<Answer>): Promise<Answer> {
    try {
      return await answer;
    } catch (error) {
      this.#failures.push(error);
      throw error;
    }
  }

  /** Puts BEGIN before the first queries and lets all of them leave in one packet. */
  #together<Result>(send: () => Result): Result {
    const { client, begin } = this.#options;
    client.connection.stream.cork();
    try {
      this.#begin ??= this.#remember(client.query(begin)).catch(() => {
        this.#hasNotBegun = true;
      });
      return send();
    } finally {
      client.connection.stream.uncork();
    }
  }
}
