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
  readonly devDependencies?: Entries;
  readonly optionalDependencies?: Entries;
  readonly peerDependencies?: Entries;
  readonly publishConfig?: {
    /** The name on npm, if another. */
    readonly name?: string;
    /**
     * Whether each entry is published as one file, with what it imports of packages of ours that are
     * `devDependencies`.
     */
    readonly bundle?: boolean;
    /** Programs that only a published package has: the repository has one of this name. */
    readonly bin?: Entries;
  };
}

/** The sources that a published package is entered by, from outside and from its own programs. */
export const publishedSources = ({ exports, imports = {} }: Manifest): string[] =>
  [...Object.values(exports), ...Object.values(imports)].filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.fixture.ts'),
  );

export const readManifest = (path: string): Manifest =>
  JSON.parse(readFileSync(path, 'utf8')) as Manifest;
