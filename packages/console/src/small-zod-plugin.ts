import type { Plugin } from 'vite';

/** The parts of zod that the console leaves out, by the name of the file. */
const replaced: Readonly<Record<string, (names: readonly string[]) => string>> = {
  // Every schema refers to it, and the console never asks for a JSON Schema.
  'core/json-schema-processors': throwing,
  'core/to-json-schema': throwing,
  // Values that contain themselves: JSON has none.
  'core/memoizer': (names) =>
    `const nothing = () => undefined;\nexport { ${names.map((name) => `nothing as ${name}`).join(', ')} };`,
  // Texts of errors: the console shows those of the server.
  'locales/en': () => 'export default () => ({});',
};

/** Leaves a sixth of zod out of the first view. */
export const smallZodPlugin = (): Plugin => ({
  name: 'small-zod',
  enforce: 'pre',
  transform: (code, id) => {
    const [, path = ''] = /\/zod\/v4\/([\w/-]+)\.js$/.exec(id) ?? [];
    const replace = replaced[path];
    if (!replace) return undefined;
    const names = [...code.matchAll(/^export (?:const|function|class) ([\w$]+)/gm)];
    return { code: replace(names.map(([, name = '']) => name)), map: null };
  },
});

function throwing(names: readonly string[]): string {
  const missing = `const missing = () => { throw new Error('The console has no JSON Schemas') };`;
  return `${missing}\nexport { ${names.map((name) => `missing as ${name}`).join(', ')} };`;
}
