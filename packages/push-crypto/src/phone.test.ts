import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

/** Everything the module at this address imports, and what those import, without packages' insides. */
function importsOf(module: URL, seen = new Set<string>()): Set<string> {
  const source = readFileSync(module, 'utf8');
  for (const [, name = ''] of source.matchAll(/from '([^']+)'/g)) {
    const next = new URL(name, module);
    if (!name.startsWith('.')) seen.add(name);
    else if (!seen.has(next.href)) importsOf(next, seen.add(next.href));
  }
  return seen;
}

const packagesOf = (file: string) =>
  [...importsOf(new URL(file, import.meta.url))].filter((name) => !name.startsWith('file:'));

test('a phone gets neither Node nor WebAssembly', () => {
  expect(packagesOf('phone.ts').toSorted((a, b) => a.localeCompare(b))).toEqual([
    '@noble/hashes/blake2.js',
    'tweetnacl',
  ]);
});

test('a service gets libsodium only', () => {
  expect(packagesOf('push-crypto.ts')).toEqual(['libsodium-wrappers']);
});
