import { lstat, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

import { z } from 'zod';

/**
 * The form of an export is the public one: realm.json and attachment.json with lists of records by table,
 * messages-000001.json and so on with 1000 messages each, and the folders uploads, avatars, emoji and
 * realm_icons with a records.json each. What the public form has no place for is in bellhop.json.
 */
export const formFiles = {
  realm: 'realm.json',
  attachments: 'attachment.json',
  /** Of an export of another server: which version made it. */
  versions: 'migration_status.json',
  /** Of an export of this server. */
  manifest: 'bellhop.json',
  records: 'records.json',
} as const;

export const MESSAGES_PER_FILE = 1000;
export const messagesFile = (number: number): string =>
  `messages-${String(number).padStart(6, '0')}.json`;

/** The version of what this server writes into exports, and the newest that it reads. */
export const FORM_VERSION = 1;

export const Manifest = z.object({
  form: z.int().min(1),
  /** The version of the server. */
  server: z.string(),
  /** The URL of the organization: links to it become links within the new one. */
  url: z.string(),
  /** Whose data it has: of all people, what is public, or of one person. */
  scope: z.enum(['all', 'public', 'person']),
  /** UNIX seconds. */
  exported_at: z.int(),
  /**
   * Converted from a service whose exports do not say who has read what: all members of a channel have
   * received its messages and read them.
   */
  is_read: z.boolean().optional(),
});
export type Manifest = z.output<typeof Manifest>;

/** A record of a table, as it is in the files. */
export type FormRecord = Readonly<Record<string, unknown>>;

/** Something that the person who moves an organization can mend; the message says how. */
export class PortabilityError extends Error {
  override readonly name = 'PortabilityError';
}

/** What is done, for the person who waits. */
export interface Progress {
  /** For example `messages`. */
  readonly what: string;
  readonly done: number;
  /** If it is known. */
  readonly of?: number;
}
export type ReportProgress = (progress: Progress) => void;

/**
 * The path of a file in an export, which may come from a stranger: throws a PortabilityError for one that
 * is missing, is no file, or is outside of the folder, also by a symbolic link.
 */
export async function fileWithin(folder: string, path: string): Promise<string> {
  const full = join(folder, path);
  if (path === '' || path.includes('\0') || isOutside(folder, full))
    throw new PortabilityError(`The export names the file "${path}", which is outside of it.`);
  const stat = await lstat(full).catch(() => undefined);
  if (!stat)
    throw new PortabilityError(
      `${path} is missing in the export. Copy the whole export, or export again.`,
    );
  if (!stat.isFile() || isOutside(await realpath(folder), await realpath(full)))
    throw new PortabilityError(`${path} of the export is no file within its folder.`);
  return full;
}

/** Whether a path is not within a folder. The folder itself is not. */
export const isOutside = (folder: string, path: string): boolean => {
  const between = relative(folder, path);
  return (
    between === '' || between === '..' || between.startsWith(`..${sep}`) || between.startsWith(sep)
  );
};
