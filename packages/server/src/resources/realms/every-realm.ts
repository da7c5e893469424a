import { job } from '@bellhop/jobs';
import type { RealmId } from '@bellhop/protocol';
import { z } from 'zod';

import type { App } from '../../engine/app.ts';
import * as queries from './queries.ts';

interface RecurringWork {
  readonly name: string;
  /** Default: an hour. */
  readonly everySeconds?: number;
  /** The work for one realm. */
  readonly run: (app: App, realm: RealmId) => Promise<unknown>;
}

/** A job that works through all realms again and again. */
export const everyRealm = ({ name, everySeconds = 3600, run }: RecurringWork) =>
  job<object, App>({
    name,
    payload: z.object({}),
    retry: [60, 600],
    everySeconds,
    timeoutMs: 600_000,
    async run(_payload, app) {
      for (const id of await queries.ids(app.db.kysely)) await run(app, id);
    },
  });
