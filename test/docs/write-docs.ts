/**
 * `npm run docs`: writes the bots' actual replies into the conversations of the guides,
 * docs/reference from the doc comments, the table of the bouncer's variables, the fields of webhooks, and the
 * bot in Python that the console shows.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { root } from '../support/source-files.ts';
import { bouncerVariablesPage } from './bouncer-variables.ts';
import { examplesIn, pages, pageText } from './examples-in.ts';
import { play } from './play.ts';
import { withPythonBot } from './python-bot.ts';
import { referencePages } from './reference.ts';
import { withWebhookFields } from './webhook-fields.ts';
import { folder, writeExamples } from './write-examples.ts';

const examples = pages().flatMap((page) => examplesIn(page));
writeExamples(examples);

for (const page of pages()) {
  let lines = pageText(page).split('\n');
  // Backwards, so that the line numbers of earlier examples stay right.
  for (const { file, conversation } of examples.filter((one) => one.page === page).toReversed()) {
    if (!conversation) continue;
    const { default: makeBot } = (await import(pathToFileURL(join(folder, file)).href)) as {
      default: Parameters<typeof play>[0];
    };
    const played = (await play(makeBot, conversation.text)).trimEnd().split('\n');
    const length = conversation.text.trimEnd().split('\n').length;
    // A reply may contain a fenced block.
    const fence = played.some((line) => line.includes('```')) ? '````' : '```';
    const block = [`${fence}text`, ...played, fence];
    lines = lines.toSpliced(conversation.line - 2, length + 2, ...block);
  }
  writeFileSync(join(root, page), lines.join('\n'));
}
const written = {
  ...referencePages(),
  'docs/bouncer/variables.md': bouncerVariablesPage(),
  'docs/webhooks.md': withPythonBot(withWebhookFields(pageText('docs/webhooks.md'))),
};
for (const [path, text] of Object.entries(written)) writeFileSync(join(root, path), text);
