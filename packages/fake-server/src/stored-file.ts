import type { Account } from './account.ts';

/** An uploaded file. */
export interface StoredFile {
  readonly owner: Account;
  /** The path of the file: `/user_uploads/...`. */
  readonly path: string;
  /** The path that needs no login. */
  readonly temporaryPath: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}
