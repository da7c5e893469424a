import { join } from 'node:path';

import { root } from '../support/source-files.ts';
import type { CoverageRow } from './coverage-rows.ts';

export const coveragePath = join(root, 'docs/spec-coverage.md');

const HEADING = `# Which test shows what the specification says

Written by \`BELLHOP_TEST_RECORDS=FOLDER npm run test:all\` and then \`BELLHOP_TEST_RECORDS=FOLDER npm run spec-coverage\`. The items are in \`test/spec\`; a rule names its test there. The test of an endpoint, parameter, error or event is one that exercised it in the run.
`;

/** The page with these rows: a table per section. */
export function coveragePage(rows: readonly CoverageRow[]): string {
  const sections = [...new Set(rows.map(({ section }) => section))];
  const tables = sections.map((section) => {
    const lines = rows.filter((row) => row.section === section).map(lineOf);
    return [`## ${section}`, '', '| what | item | test |', '| - | - | - |', ...lines, ''].join(
      '\n',
    );
  });
  return [HEADING, ...tables].join('\n');
}

const lineOf = ({ kind, item, test }: CoverageRow) => `| ${kind} | ${cell(item)} | ${cell(test)} |`;

/** A text as the cell of a table. */
const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').trim();

/** The rows of a page. */
export function rowsOfPage(page: string): CoverageRow[] {
  let section = '';
  return page.split('\n').flatMap((line) => {
    if (line.startsWith('## ')) section = line.slice(3);
    const [, kind, item, test] = /^\| (\w+) \| (.*) \| (.*) \|$/.exec(line) ?? [];
    return kind === undefined || item === undefined || kind === 'what'
      ? []
      : [{ section, kind: kind as CoverageRow['kind'], item, test: (test ?? '').trim() }];
  });
}
