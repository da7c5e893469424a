import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The folder into which the tests of a run write the exercised parts of the contract; undefined in
 * an ordinary run. `npm run spec-coverage` reads the files.
 */
const folder = process.env['BELLHOP_TEST_RECORDS'];
const currentTest =
  folder === undefined ? undefined : (await import('vitest')).expect.getState.bind(undefined);
if (folder !== undefined) mkdirSync(folder, { recursive: true });
/** Whether this run writes records. */
export const isRecording = currentTest !== undefined;
const written = new Set<string>();

/** A test exercised this part of the contract, such as `POST /drafts parameter drafts`. */
export interface ExercisedRecord {
  readonly item: string;
  /** The absolute path of the test file. */
  readonly file: string;
  /** The title of the test behind those of its `describe` blocks, separated by ` > `. */
  readonly title: string;
}

/** Records that the running test exercised a part of the contract. */
export function recordExercised(item: string): void {
  if (folder === undefined || !currentTest) return;
  const { testPath: file, currentTestName: title } = currentTest();
  if (file === undefined || title === undefined) return;
  const line = JSON.stringify({ item, file, title } satisfies ExercisedRecord);
  if (written.has(line)) return;
  written.add(line);
  appendFileSync(join(folder, `${process.pid}.jsonl`), `${line}\n`);
}
