import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';

/** Proposes files with these extensions, and directories; all files if none is given. */
export const proposeFiles =
  (...extensions: readonly string[]): ((partial: string) => Promise<string[]>) =>
  async (partial) => {
    const directory = partial.slice(0, partial.lastIndexOf('/') + 1);
    const start = partial.slice(directory.length);
    const place = directory.replace(/^~(?=\/)/, homedir()) || '.';
    const entries = await readdir(place, { withFileTypes: true }).catch(() => []);
    return entries
      .filter(({ name }) => name.startsWith(start) && (start !== '' || !name.startsWith('.')))
      .filter((entry) => entry.isDirectory() || hasExtension(entry.name, extensions))
      .map((entry) => `${directory}${entry.name}${entry.isDirectory() ? '/' : ''}`);
  };

const hasExtension = (name: string, extensions: readonly string[]) =>
  extensions.length === 0 || extensions.some((extension) => name.endsWith(extension));
