import type { Database } from '@bellhop/postgres';
import type { RealmId } from '@bellhop/protocol';
import { z } from 'zod';

import type { Tables } from '../../engine/tables.ts';
import type { Files } from '../../files/files.ts';
import type { ReportProgress } from '../form.ts';
import type { Scope } from './scope.ts';

export interface ExportRequest {
  readonly db: Database<Tables>;
  readonly realm: RealmId;
  /** Only what is public, or the data of the person with this address. */
  readonly only?: 'public' | { readonly email: string };
  /** The folder, which is made. One in which the same export was interrupted is continued. */
  readonly folder: string;
  /** The stores of files, as the server has them. */
  readonly files: Files;
  /** The URL of the server. */
  readonly externalUrl: string;
  readonly progress: ReportProgress;
  /** Stops between two pieces; the same call continues. */
  readonly signal?: AbortSignal;
}

/** What is done, in a file beside the export until it is complete. */
export const State = z.object({
  realm: z.int(),
  only: z.union([z.literal('public'), z.int()]).optional(),
  newest: z.int(),
  clients: z.array(z.string()),
  /** The number of message files, and the last message in them. */
  files: z.int(),
  message: z.int(),
  messages: z.int(),
  /** The last upload and avatar whose files are written. */
  upload: z.int(),
  avatar: z.int(),
});
export type State = z.output<typeof State>;

/** An export that is under way. */
export interface ExportRun extends ExportRequest {
  readonly scope: Scope;
  readonly state: State;
  /** Notes on disk what is done. */
  readonly note: () => Promise<void>;
}
