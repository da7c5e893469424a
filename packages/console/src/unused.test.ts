import { glob, readFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

const browser = fileURLToPath(new URL('../browser', import.meta.url));

/** The texts of files below `browser`, by absolute path. */
async function texts(pattern: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for await (const name of glob(pattern, { cwd: browser })) {
    const path = resolve(browser, name);
    found.set(path, await readFile(path, 'utf8'));
  }
  return found;
}

/** Classes of libraries, of rendered messages, and `class={`json-${typeof value}`}`. */
const COMPUTED =
  /^(u-.*|json-.*|user-mention|user-group-mention|topic-mention|highlight|message_inline_image|patch)$/;

test('every class of a style sheet is used by a component', async () => {
  const sources = [...(await texts('**/*.{ts,tsx,html}')).values()].join('\n');
  const literals = sources.match(/'[^'\n]*'|"[^"\n]*"|`[^`]*`/g) ?? [];
  const used = new Set(literals.flatMap((literal) => literal.match(/[\w-]+/g) ?? []));
  const unused = [...(await texts('**/*.css')).values()]
    .map((css) => css.replaceAll(/\/\*.*?\*\//gs, ''))
    .flatMap((css) => [...css.matchAll(/([^{};]+)\{/g)].map(([, selector = '']) => selector))
    .flatMap((selector) => [...selector.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = '']) => name))
    .filter((name) => !used.has(name) && !COMPUTED.test(name));
  expect([...new Set(unused)]).toEqual([]);
});

/** Texts that a component reads by a computed key. */
const COMPUTED_KEYS = new Set(['deactivated', 'archived']);

test('every text of a part is used by a component', async () => {
  const sources = [...(await texts('**/*.{ts,tsx}'))];
  const unused: string[] = [];
  for (const [path] of sources.filter(([name]) => name.endsWith('/strings.ts'))) {
    const { strings } = (await import(path)) as { readonly strings: object };
    const used = new Set<string | undefined>(COMPUTED_KEYS);
    for (const [reader, source] of sources)
      for (const [, alias = 'strings', from = ''] of source.matchAll(IMPORT))
        if (resolve(dirname(reader), from) === path)
          for (const [, key] of source.matchAll(new RegExp(`\\b${alias}\\s*\\.\\s*(\\w+)`, 'g')))
            used.add(key);
    unused.push(
      ...Object.keys(strings)
        .filter((key) => !used.has(key))
        .map((key) => `${relative(browser, path)}: ${key}`),
    );
  }
  expect(unused).toEqual([]);
});

/** The local name of the texts, if it is another one, and the file they come from. */
const IMPORT = /import \{[^}]*\bstrings(?: as (\w+))?\b[^}]*\} from '(.*)';/g;
