import type { Plugin } from 'vite';

/**
 * Leaves out how zod writes JSON Schemas, a tenth of the first view: every schema refers to it, and the
 * console never asks.
 */
export const withoutJsonSchemaPlugin = (): Plugin => ({
  name: 'without-json-schema',
  enforce: 'pre',
  transform: (code, id) => {
    if (!/\/zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js$/.test(id)) return undefined;
    const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name);
    const missing = "() => { throw new Error('The console has no JSON Schemas') }";
    return {
      code: names.map((name) => `export const ${name} = ${missing};`).join('\n'),
      map: null,
    };
  },
});
