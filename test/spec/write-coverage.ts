/**
 * `npm run spec-coverage`: writes spec-coverage.md, which names a test for each item of the specification,
 * from the records that a test run left in the folder BELLHOP_TEST_RECORDS, and into it. Fails if
 * an item has no test.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import type { ExercisedRecord } from '@bellhop/server/exercised-record';

import { root } from '../support/source-files.ts';
import { coveragePage } from './coverage-page.ts';
import { coverageRows } from './coverage-rows.ts';

const folder = process.env['BELLHOP_TEST_RECORDS'];
if (folder === undefined) {
  console.error('Run the tests with BELLHOP_TEST_RECORDS=FOLDER, then this with the same FOLDER.');
  process.exit(2);
}
const records = readdirSync(folder)
  .filter((name) => name.endsWith('.jsonl'))
  .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean))
  .map((line) => JSON.parse(line) as ExercisedRecord)
  .map((record) => ({ ...record, file: relative(root, record.file) }));
const rows = coverageRows(records);
const path = join(folder, 'spec-coverage.md');
writeFileSync(path, coveragePage(rows));
const empty = rows.filter(({ test }) => test === '');
for (const { kind, item } of empty) console.error(`No test shows the ${kind} ${item}`);
console.log(`${path}: ${rows.length} rows, ${empty.length} of them empty`);
if (empty.length > 0) process.exitCode = 1;
