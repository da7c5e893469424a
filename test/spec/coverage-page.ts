import type { CoverageRow } from './coverage-rows.ts';

const HEADING = `# Which test shows what the specification says

Written by \`npm run spec-coverage\`. The items are in \`test/spec\`; a rule names its test there. The test of an endpoint, parameter, error or event is one that exercised it in the run.
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
