/**
 * `npm run spec-coverage`: writes docs/spec-coverage.md from the items of the specification and the
 * records that a test run left in the folder BELLHOP_TEST_RECORDS.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import type { ExercisedRecord } from '@bellhop/server/exercised-record';

import { root } from '../support/source-files.ts';
import { coveragePage, coveragePath } from './coverage-page.ts';
import { coverageRows } from './coverage-rows.ts';

const folder = process.env['BELLHOP_TEST_RECORDS'];
if (folder === undefined) {
  console.error('Run the tests with BELLHOP_TEST_RECORDS=FOLDER, then this with the same FOLDER.');
  process.exit(2);
}
const records = readdirSync(folder)
  .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean))
  .map((line) => JSON.parse(line) as ExercisedRecord)
  .map((record) => ({ ...record, file: relative(root, record.file) }));
const rows = coverageRows(records);
writeFileSync(coveragePath, coveragePage(rows));
const empty = rows.filter(({ test }) => test === '');
for (const { kind, item } of empty) console.error(`No test shows the ${kind} ${item}`);
console.log(`${rows.length} rows, ${empty.length} of them empty`);
