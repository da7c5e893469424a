import { glob, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
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

/** Classes of libraries, of rendered messages, and `class={`json-${typeof value}`}` or a method of HTTP. */
const COMPUTED =
  /^(u-.*|json-.*|get|post|put|patch|delete|user-mention|user-group-mention|topic-mention|highlight|message_inline_image|patch)$/;

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
