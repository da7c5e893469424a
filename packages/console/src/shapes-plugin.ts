import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { Plugin } from 'vite';

/**
 * Puts the shapes of the protocol, computed, in the place of the module that makes them of schemas: a
 * program that calls the server needs neither the schemas nor zod.
 */
export const shapesPlugin = (): Plugin => ({
  name: 'shapes',
  async load(path) {
    if (!path.endsWith(join('plain', 'shapes.ts'))) return null;
    const { shapes } = (await import(pathToFileURL(path).href)) as { shapes: unknown };
    // A text of JSON is read faster than an object literal.
    const text = JSON.stringify(JSON.stringify(shapes));
    return { code: `export const shapes = JSON.parse(${text});`, map: { mappings: '' } };
  },
});
