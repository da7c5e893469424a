import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';

/** Watches the files of a program. */
export interface FileWatch {
  /** Watches these files from now on, and other sources in their directories: the bot may import one next. */
  readonly follow: (files: readonly string[]) => void;
  readonly close: () => void;
}

interface WatchOptions {
  readonly onChange: (name: string) => void;
  /** Changes within this time are one: an editor changes a file several times per save. */
  readonly quietMs?: number;
}

const SOURCES = new Set(['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs']);

/** Watches files for changes. It watches their directories, because editors replace files. */
export function watchFiles({ onChange, quietMs = 100 }: WatchOptions): FileWatch {
  const watchers = new Map<string, FSWatcher>();
  let files = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  const counts = (path: string) =>
    files.has(path) ||
    basename(path) === '.env' ||
    (SOURCES.has(extname(path)) && !/\.test\.\w+$/.test(path));

  function changed(directory: string, name: string | null): void {
    if (name !== null && !counts(join(directory, name))) return;
    clearTimeout(timer);
    timer = setTimeout(() => onChange(name ?? directory), quietMs);
  }

  return {
    follow(now) {
      files = new Set(now);
      const directories = new Set(now.map((path) => dirname(path)));
      for (const [directory, watcher] of watchers) {
        if (directories.has(directory)) continue;
        watcher.close();
        watchers.delete(directory);
      }
      for (const directory of directories) {
        if (watchers.has(directory)) continue;
        const watcher = watch(directory, (_event, name) => changed(directory, name));
        // The directory was removed.
        watcher.on('error', () => watchers.delete(directory));
        watchers.set(directory, watcher);
      }
    },
    close() {
      clearTimeout(timer);
      for (const watcher of watchers.values()) watcher.close();
      watchers.clear();
    },
  };
}
