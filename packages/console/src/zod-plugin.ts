import { fileURLToPath } from 'node:url';

import type { Plugin } from 'vite';

const own = fileURLToPath(new URL('../browser/zod.ts', import.meta.url));

/** Lets every import of zod go through the module that sets it up for browsers. */
export const zodPlugin = (): Plugin => ({
  name: 'zod',
  enforce: 'pre',
  resolveId: (id, importer) => (id === 'zod' && importer !== own ? own : undefined),
});
