import { expect, test } from 'vitest';

import { commandTable } from './command-table.ts';
import { defineCommand } from './command.fixture.ts';

const deploy = defineCommand(
  'deploy <env:staging|prod> [ref:string=main] [--force/-f] [--count:int=1] <--by:date> [note...]',
  {
    about: 'Ship a branch',
    aliases: ['ship', 'roll out'],
    args: { env: 'Where to', force: 'Skip the checks' },
    examples: ['deploy staging --by 2030-01-31', 'ship prod v2 -f --by 2030-01-31 at last'],
  },
);

test('the help of a command lists usage, arguments, flags and examples', () => {
  expect(deploy.help()).toBe(`**deploy** (also \`ship\`, \`roll out\`): Ship a branch

\`\`\`text
deploy <env:staging|prod> [ref=main] [note...] [--force/-f] [--count:int=1] <--by:date>
\`\`\`

* \`env\`: Where to; \`staging\` or \`prod\`
* \`ref\`: text; \`main\` by default
* \`note\`: the rest of the text; optional
* \`--force\`, \`-f\`: Skip the checks; a switch
* \`--count\`: a whole number, such as \`3\`; \`1\` by default
* \`--by\`: a date, such as \`2030-12-31\`

For example:
\`\`\`text
deploy staging --by 2030-01-31
ship prod v2 -f --by 2030-01-31 at last
\`\`\``);
});

test('the help of a command without arguments is its name and usage', () => {
  expect(defineCommand('ping').help()).toBe('**ping**\n\n```text\nping\n```');
});

test('the list of commands aligns its columns beside wide characters and leaves out hidden commands', () => {
  const table = commandTable<null>();
  expect(table.help()).toBe('There are no commands.');
  const add = (usage: string, about: string, hidden = false) => {
    table.add(defineCommand(usage, { about, hidden }), null);
  };
  table.add(deploy, null);
  add('ping', 'Say pong');
  add('weather <city>', 'Show the weather');
  add('天気 <city>', 'Show the weather in Japanese');
  add('assign <users:user...>', 'Assign work');
  add('quiet', '');
  add('debug', 'Hidden', true);
  expect(table.help()).toBe(`\`\`\`text
deploy <env:staging|prod> [ref=main] [note...] [--force/-f] [--count:int=1] <--by:date>
                        Ship a branch
ping                    Say pong
weather <city>          Show the weather
天気 <city>             Show the weather in Japanese
assign <users:user...>  Assign work
quiet
\`\`\``);
});

test('help finds a command by name or alias, also a hidden one', () => {
  const table = commandTable<null>();
  table.add(deploy, null);
  table.add(defineCommand('debug', { hidden: true }), null);
  expect(table.help('Ship')).toBe(deploy.help());
  expect(table.help(' roll  out ')).toBe(deploy.help());
  expect(table.help('debug')).toContain('**debug**');
  expect(table.help('roll')).toBeUndefined();
  expect(table.help('')).toBeUndefined();
});
