import type { Database } from '@bellhop/postgres';
import type { RealmId } from '@bellhop/protocol';

import type { Db, Tx } from '../../engine/call.ts';
import type { Secrets } from '../../engine/secrets.ts';
import type { Tables } from '../../engine/tables.ts';
import type { Images } from '../../images/images.ts';
import type { Manifest, ReportProgress } from '../form.ts';
import type { TableRecord } from '../json-file.ts';
import type { IdKind, NewRow, TableTarget } from './insert-rows.ts';

/** An import that is under way. */
export interface Importing {
  readonly db: Database<Tables>;
  readonly realm: RealmId;
  /** The folder of the export. */
  readonly folder: string;
  /** The names of its files with messages, in their order. */
  readonly messageFiles: readonly string[];
  readonly manifest: Manifest | undefined;
  /** The URL that the organization had; links below it become links within the new one. */
  readonly formerUrl: string | undefined;
  readonly secrets: Secrets;
  readonly externalUrl: string;
  /** Bytes; larger files are refused. */
  readonly maxFileBytes: number;
  readonly images: Images;
  /** UNIX seconds. */
  readonly now: number;
  readonly progress: ReportProgress;
  readonly signal: AbortSignal | undefined;
  /** Records of these tables of realm.json, some at a time, in the order of the file. */
  readonly tables: (names: readonly string[]) => AsyncGenerator<TableRecord[]>;
  readonly newIds: (
    db: Db,
    kind: IdKind,
    former: readonly number[],
  ) => Promise<Map<number, number>>;
}

/** A piece of an import: it is done and noted as done in one transaction. */
export interface Piece {
  readonly tx: Tx;
  /** Adds to what is told at the end. */
  readonly count: (name: string, number: number) => void;
  /** Inserts rows and counts them; those that refer to something unknown count as left out. */
  readonly insert: (name: string, target: TableTarget, rows: readonly NewRow[]) => Promise<void>;
}
