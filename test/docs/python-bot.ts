import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../support/source-files.ts';

/** Writes the bot in Python that the console shows into a page. */
export function withPythonBot(page: string): string {
  const source = readFileSync(join(root, 'packages/console/browser/bots/bot.py'), 'utf8');
  return page.replace(/(?<=^```python\n# bot\.py\n)[\s\S]*?(?=^```$)/m, () => source);
}
