import { text } from '@optique/core/message';
import type { Suggestion } from '@optique/core/parser';
import type { InputCompletion } from '@stricli/core';

import { defineCommand } from '../command-line/command.ts';
import { fileExtensions } from '../command-line/file-completion.ts';
import { argument } from '../command-line/flags.ts';
import { parseShell, shells } from './shells.ts';

export const complete = defineCommand({
  description: 'The scripts of "bellhop completion" run it and read its output.',
  args: { each: argument('word', 'A shell, then the words of a command line'), minimum: 2 },
  async run(_flags, ...args) {
    const [shell = '', ...words] = args;
    const partial = words.at(-1) ?? '';
    const wantsFlag = partial.startsWith('-');
    const proposals = await this.proposeCompletions(words);
    const suggestions = proposals
      .filter(({ kind }) => wantsFlag === (kind === 'argument:flag'))
      .map((proposal) => suggestionOf(proposal, partial));
    const encoded = shells[parseShell(shell)].encodeSuggestions(suggestions);
    this.process.stdout.write(Array.from(encoded).join(''));
  },
});

function suggestionOf({ completion, brief }: InputCompletion, partial: string): Suggestion {
  const description = [text(brief)];
  const extensions = fileExtensions(completion);
  return extensions
    ? { kind: 'file', type: 'any', pattern: partial, extensions, description }
    : { kind: 'literal', text: completion, description };
}
