import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The headless shell comes first: it has no windows to draw, and takes half of the processor time. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];
const usual = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];

/** Explains how to run the tests in a browser. */
export const NO_BROWSER =
  'The browser tests were left out: no Chromium was found. Install it (Debian: apt-get install chromium-headless-shell fonts-noto-color-emoji), or name one in BELLHOP_TEST_BROWSER.';

/** The path of a Chromium; undefined if there is none. */
export function findBrowser(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const paths = [
    process.env['BELLHOP_TEST_BROWSER'] ?? '',
    ...names.flatMap((name) => folders.map((folder) => join(folder, name))),
    ...usual,
  ];
  return paths.find((path) => path !== '' && isExecutable(path));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
