import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

/** The packages and files that a module imports, directly or through its own files. */
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

test('phone.ts imports only tweetnacl and @noble/hashes', () => {
  expect(packagesOf('phone.ts').toSorted((a, b) => a.localeCompare(b))).toEqual([
    '@noble/hashes/blake2.js',
    '@noble/hashes/sha2.js',
    'tweetnacl',
  ]);
});

test('push-crypto.ts imports only libsodium and, for SHA-256, @noble/hashes', () => {
  expect(packagesOf('push-crypto.ts')).toEqual(['libsodium-wrappers', '@noble/hashes/sha2.js']);
});
