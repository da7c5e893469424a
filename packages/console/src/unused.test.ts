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

/** The selectors of a style sheet, each of a list by itself. */
const selectorsOf = (css: string): string[] =>
  [...css.replaceAll(/\/\*.*?\*\//gs, '').matchAll(/([^{};]+)\{/g)].flatMap(([, list = '']) =>
    list.split(',').map((selector) => selector.trim()),
  );

test('every class of a style sheet is used by a component', async () => {
  const sources = [...(await texts('**/*.{ts,tsx,html}')).values()].join('\n');
  const literals = sources.match(/'[^'\n]*'|"[^"\n]*"|`[^`]*`/g) ?? [];
  const used = new Set(literals.flatMap((literal) => literal.match(/[\w-]+/g) ?? []));
  const unused = [...(await texts('**/*.css')).values()]
    .flatMap(selectorsOf)
    .flatMap((selector) => [...selector.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = '']) => name))
    .filter((name) => !used.has(name) && !COMPUTED.test(name));
  expect([...new Set(unused)]).toEqual([]);
});

// The style sheet of a part stays on the page when the user goes to another part.
test('a class has its rules in one part, or in what all parts share', async () => {
  const partsOf = new Map<string, Set<string>>();
  for (const part of ['api', 'bots', 'bouncer', 'chat', 'faults', 'organization', 'phones'])
    for (const css of (await texts(`${part}/**/*.css`)).values())
      for (const selector of selectorsOf(css)) {
        const [, name] = /^\.([a-z][\w-]*)/i.exec(selector) ?? [];
        if (name !== undefined) partsOf.set(name, (partsOf.get(name) ?? new Set()).add(part));
      }
  const shared = [...partsOf].filter(([, parts]) => parts.size > 1);
  expect(shared.map(([name, parts]) => `${name}: ${[...parts].join(', ')}`)).toEqual([]);
});
