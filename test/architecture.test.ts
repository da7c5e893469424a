import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { describe, expect, test } from 'vitest';

import {
  entryOf,
  isTest,
  reachable,
  resolved,
  root,
  type SourceFile,
  sourceFiles,
} from './support/source-files.ts';

const everything = [...sourceFiles('{packages,examples,test}/**/*.{ts,tsx}')];
const ofPackage = (name: string) =>
  everything.filter(({ path }) => path.startsWith(`packages/${name}/src/`));
const server = ofPackage('server');
const migrations = globSync('packages/server/migrations/*.sql', { cwd: root }).map((file) =>
  readFileSync(join(root, file), 'utf8'),
);

/** Support code of tests. */
const isFixture = ({ path }: SourceFile) => path.endsWith('.fixture.ts');

/** `[who, what]` of every import that a predicate finds wrong. */
function wrong(
  files: readonly SourceFile[],
  isWrong: (imported: string, by: SourceFile) => boolean,
) {
  return files.flatMap((file) =>
    file.imports
      .filter((imported) => isWrong(imported, file))
      .map((imported) => `${file.path} imports ${imported}`),
  );
}

/** The circles of imports within packages, each once: `a.ts > b.ts > a.ts`. */
function circles(files: readonly SourceFile[]): string[] {
  const all = new Map(files.map((file) => [file.path, file]));
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (file: SourceFile | undefined, above: readonly string[]): void => {
    if (!file || done.has(file.path)) return;
    const at = above.indexOf(file.path);
    if (at !== -1) {
      found.push([...above.slice(at), file.path].join(' > '));
      return;
    }
    const path = [...above, file.path];
    for (const imported of file.imports) visit(all.get(resolved(file, imported) ?? ''), path);
    done.add(file.path);
  };
  for (const file of files) visit(file, []);
  return found;
}

/** The noun that a file of the server's model or resources belongs to. */
const nounOf = (path: string | undefined) =>
  /^packages\/server\/src\/(?:model|resources)\/([^/]+)\//.exec(path ?? '')?.[1];

describe('files', () => {
  test('are found by the tests of this file', () => {
    expect(everything.length).toBeGreaterThan(300);
    expect(everything.flatMap(({ imports }) => imports).length).toBeGreaterThan(1000);
  });

  test('have no vague names and no capitals in names', () => {
    const vague = /^(index|utils?|helpers?|types?|service|manager|common|misc|constants)\.tsx?$/;
    const named = everything.filter(({ path }) => vague.test(basename(path)));
    expect(named.map(({ path }) => path)).toEqual([]);
    const odd = everything.filter(
      ({ path }) => !/^[a-z0-9]+([-.][a-z0-9]+)*\.tsx?$/.test(basename(path)),
    );
    expect(odd.map(({ path }) => path)).toEqual([]);
  });

  test('import other packages by name and their own files with the ending', () => {
    const across = (imported: string, by: SourceFile) => {
      const to = resolved(by, imported);
      const home = by.path.split('/').slice(0, by.path.startsWith('test/') ? 1 : 2);
      return (
        to !== undefined &&
        (!to.startsWith(`${home.join('/')}/`) || !/\.(tsx?|css|svg|js|json|py\?raw)$/.test(to))
      );
    };
    // Configurations extend the one at the root.
    const programs = everything.filter(({ path }) => !path.endsWith('.config.ts'));
    expect(wrong(programs, across)).toEqual([]);
  });

  // `npm run lint` finds the circles of static imports sooner; it does not see `import()`.
  test('import each other in no circle, types and `import()` included', () => {
    expect(circles(everything)).toEqual([]);
    const file = (path: string, imported: string) => ({ path, text: '', imports: [imported] });
    expect(circles([file('a/b.ts', './c.ts'), file('a/c.ts', './b.ts')])).toEqual([
      'a/b.ts > a/c.ts > a/b.ts',
    ]);
  });
});

describe('packages', () => {
  test('every package can be built, checked and linted by turbo', () => {
    const without = globSync('packages/*/package.json', { cwd: root }).filter((path) => {
      const manifest = JSON.parse(readFileSync(join(root, path), 'utf8')) as {
        scripts?: Record<string, string>;
      };
      return !['build', 'types', 'lint'].every((task) => manifest.scripts?.[task] !== undefined);
    });
    expect(without).toEqual([]);
  });

  test('protocol imports only zod', () => {
    const files = ofPackage('protocol').filter((file) => !isTest(file));
    expect(
      wrong(
        files,
        (imported) =>
          !imported.startsWith('./') && !imported.startsWith('../') && imported !== 'zod',
      ),
    ).toEqual([]);
  });

  test('only cli and test import the server and the bouncer', () => {
    const others = everything.filter(({ path }) => !/^(packages\/cli|test)\//.test(path));
    expect(wrong(others, (imported) => /^@bellhop\/(server|bouncer)(\/|$)/.test(imported))).toEqual(
      [],
    );
  });

  test('only tests and fixtures import fixtures', () => {
    const built = everything.filter(
      (file) => file.path.startsWith('packages/') && !isTest(file) && !isFixture(file),
    );
    const isForTests = (imported: string, by: SourceFile) =>
      imported === 'vitest' ||
      ((resolved(by, imported) ?? entryOf(imported))?.endsWith('.fixture.ts') ?? false);
    expect(wrong(built, isForTests)).toEqual([]);
  });
});

describe('the server inside', () => {
  test('a resource imports no handlers of another resource', () => {
    const handlers = new Set(
      server.filter(({ text }) => /: Resource<'/.test(text)).map(({ path }) => path),
    );
    expect(handlers.size).toBeGreaterThan(8);
    const calls = (imported: string, by: SourceFile) => {
      const to = resolved(by, imported);
      return to !== undefined && handlers.has(to) && nounOf(to) !== nounOf(by.path);
    };
    const files = server.filter((file) => nounOf(file.path) !== undefined && !isTest(file));
    expect(wrong(files, calls)).toEqual([]);
  });
});

/** Nouns that write a row of another's table together with their own. */
const coWriters: Readonly<Record<string, string>> = {
  event_counter: 'engine',
  event_queue: 'queues',
  mail_check: 'mails',
  recipient: 'channels',
  subscription: 'messages',
};
/** What brings, or removes, the rows of all nouns. */
const everyNoun = ['packages/server/src/portability/', 'packages/server/src/model/users/erased-'];
/** The nouns that may write a table: the one that declares it, and the one above. */
const writers: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  server.flatMap(({ path, text }) =>
    [...text.matchAll(/^( *)(?:export )?interface Tables \{\n([\s\S]*?)\n\1\}/gm)].flatMap(
      ([, indent = '', body = '']) =>
        [...body.matchAll(/^( *)(\w+): (?:\w+ & )?\{/gm)]
          .filter(([, deeper]) => deeper === `${indent}  `)
          .map(([, , table = '']) => [
            table,
            [nounOf(path) ?? 'engine', ...(coWriters[table] ? [coWriters[table]] : [])],
          ]),
    ),
  ),
);
const names = Object.keys(writers).join('|');
const WRITTEN = new RegExp(
  String.raw`\b(?:delete from|update|insert into)\s+(${names})\b(?!\.)|\b(?:insertInto|updateTable|deleteFrom)\('(${names})'`,
  'g',
);

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '').replace(/^.*from '.*$/gm, '');
}

describe('tables', () => {
  test('every table of the migrations is declared beside its queries', () => {
    const made = migrations.flatMap((sql) =>
      [...sql.matchAll(/^create table (\w+)/gm)].map(([, table = '']) => table),
    );
    expect(made.length).toBeGreaterThan(10);
    expect(Object.keys(writers).toSorted()).toEqual(made.toSorted());
  });

  test('a table is written only by the noun that declares it and its listed co-writer', () => {
    const written = server
      .filter((file) => !isTest(file) && !isFixture(file))
      .filter(({ path }) => !everyNoun.some((start) => path.startsWith(start)))
      .flatMap(({ path, text }) =>
        [...withoutComments(text).matchAll(WRITTEN)].map(([, inSql, built]) => ({
          path,
          table: inSql ?? built ?? '',
        })),
      );
    expect(written.length).toBeGreaterThan(10);
    expect(
      written.filter(({ path, table }) => !writers[table]?.includes(nounOf(path) ?? 'engine')),
    ).toEqual([]);
  });
});

describe('secrets between services', () => {
  const words = (files: Iterable<string>, pattern: RegExp) =>
    [...files].filter((path) => {
      const file = everything.find((one) => one.path === path);
      return file !== undefined && pattern.test(file.text);
    });

  test('the server neither opens registrations nor speaks to push providers', () => {
    const { files, packages } = reachable('packages/server/src/server.ts');
    expect(files.size).toBeGreaterThan(150);
    expect(
      [...files].filter((path) => /^packages\/(bouncer|device|push-simulator|cli)\//.test(path)),
    ).toEqual([]);
    const own = [...files].filter((path) => path.startsWith('packages/server/'));
    // The plaintext of a registration, the secret key that opens one, and the two providers.
    expect(
      words(own, /PushRegistration\b|\bopenJson\b|\bopenSealed\b|secretKey|googleapis|push\.apple/),
    ).toEqual([]);
    expect(packages).not.toContain('node:http2');
  });

  test('the bouncer imports neither messages nor the keys that decrypt them', () => {
    const { files } = reachable('packages/bouncer/src/bouncer.ts');
    expect(
      [...files].filter((path) => /^packages\/(server|client|bot|device|cli)\//.test(path)),
    ).toEqual([]);
    const own = [...files].filter((path) => path.startsWith('packages/bouncer/'));
    // The notification's plaintext, messages of the chat API, and what would decrypt a phone's own.
    expect(
      words(
        own,
        /PushPayload|\bMessage\b|FetchedMessage|push_public_key|push-crypto\/phone|[{,] api\b/,
      ),
    ).toEqual([]);
  });
});
