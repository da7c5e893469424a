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

/** The package of a new project whose install script npm asks about: that of Node installs it. */
export const allowScripts: Readonly<Record<string, boolean>> = { node: true };
