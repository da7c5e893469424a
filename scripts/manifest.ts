import { readFileSync } from 'node:fs';

/** Paths or versions by name. */
export type Entries = Readonly<Record<string, string>>;

/** What the scripts read of a `package.json` of the repository. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly keywords?: readonly string[];
  /** Folders that are published besides `dist`. */
  readonly files?: readonly string[];
  /** Each entry names a source. */
  readonly exports: Entries;
  readonly imports?: Entries;
  readonly dependencies?: Entries;
  readonly optionalDependencies?: Entries;
  readonly peerDependencies?: Entries;
  readonly publishConfig?: {
    /** The name on npm, if another. */
    readonly name?: string;
    /** Whether each entry is published as one file. */
    readonly bundle?: boolean;
  };
}

export const readManifest = (path: string): Manifest =>
  JSON.parse(readFileSync(path, 'utf8')) as Manifest;
