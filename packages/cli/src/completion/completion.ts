import { argument, defineCommand } from '@bellhop/bot-cli/command-line';

import { parseShell, shells } from './shells.ts';

export const completion = defineCommand({
  description: `To have it in every new shell:

  bash   echo 'source <(bellhop completion bash)' >> ~/.bashrc
  zsh    echo 'source <(bellhop completion zsh)' >> ~/.zshrc
  fish   bellhop completion fish > ~/.config/fish/completions/bellhop.fish

In zsh the line stands below the one with compinit.`,
  args: [
    {
      ...argument('shell', Object.keys(shells).join(', '), parseShell),
      proposeCompletions: () => Object.keys(shells),
    },
  ],
  async run(_flags, { script }) {
    console.log(script);
  },
});
