/** Versions of the other dependencies of a new project: those the framework is tested with. */
export const toolVersions = {
  '@types/node': '24.19.2',
  node: '24.21.0',
  typescript: '7.0.2',
  vitest: '5.1.1',
  zod: '^4.6.7',
} as const;
