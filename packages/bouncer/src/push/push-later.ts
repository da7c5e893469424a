import type { App } from '../app.ts';
import type { Outcome } from './deliver.ts';

export async function pushLater(
  _app: App,
  _tx: unknown,
  _later: readonly Extract<Outcome, { kind: 'later' }>[],
): Promise<void> {}
