import type { Transaction } from '@bellhop/postgres';
import type { App } from '../app.ts';
import type { Outcome } from './deliver.ts';
import type { BouncerTables } from '../tables.ts';

export async function pushLater(
  _app: App,
  _tx: Transaction<BouncerTables>,
  _later: readonly Extract<Outcome, { kind: 'later' }>[],
): Promise<void> {}
