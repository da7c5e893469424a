import { argument, defineCommand } from '@bellhop/bot-cli/command-line';

import { parseShell } from './shells.ts';

export const complete = defineCommand({
  description: 'The scripts of "bellhop completion" run it and read its output.',
  args: { each: argument('word', 'A shell, then the words of a command line'), minimum: 2 },
  async run(_flags, ...args) {
    const [name = '', ...words] = args;
    const shell = parseShell(name);
    const wantsFlag = words.at(-1)?.startsWith('-') ?? false;
    const proposals = (await this.proposeCompletions(words))
      .filter(({ kind }) => wantsFlag === (kind === 'argument:flag'))
      .map(({ completion, brief }) => shell.proposal(completion, brief));
    if (proposals.length > 0) console.log(proposals.join('\n'));
  },
});
