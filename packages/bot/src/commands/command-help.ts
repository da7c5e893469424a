import { displayWidth } from './display-width.ts';
import { codeBlock, inlineCode } from './markdown-code.ts';
import type { Parameter, Usage } from './read-usage.ts';

interface Described {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly about: string;
  readonly usage: string;
}

/** The details of one command in Markdown. */
export function commandHelp(of: {
  readonly command: Described;
  readonly usage: Usage;
  /** What each argument is for, by key. */
  readonly args: Readonly<Record<string, string | undefined>>;
  readonly examples: readonly string[];
}): string {
  const { name, aliases, about, usage } = of.command;
  const also =
    aliases.length === 0 ? '' : ` (also ${aliases.map((a) => inlineCode(a)).join(', ')})`;
  const parameters = [...of.usage.positionals, ...of.usage.flags];
  const sections = [
    `**${name}**${also}${about === '' ? '' : `: ${about}`}`,
    codeBlock(usage),
    parameters.map((parameter) => argumentLine(parameter, of.args[parameter.key])).join('\n'),
    of.examples.length === 0 ? '' : `For example:\n${codeBlock(of.examples.join('\n'))}`,
  ];
  return sections.filter((section) => section !== '').join('\n\n');
}

function argumentLine(parameter: Parameter, purpose: string | undefined): string {
  const { name, kind, short } = parameter;
  const names = [
    kind === 'positional' ? name : `--${name}`,
    ...(short === undefined ? [] : [`-${short}`]),
  ];
  const about = [purpose ?? '', valueText(parameter), absenceText(parameter)];
  const text = about.filter((part) => part !== '').join('; ');
  return `* ${names.map((word) => inlineCode(word)).join(', ')}: ${text}`;
}

function valueText({ kind, takes, expects }: Parameter): string {
  if (kind === 'switch') return 'a switch';
  if (takes === 'text') return 'all the rest';
  return takes === 'list' ? `${expects}; several may be given` : expects;
}

function absenceText({ required, kind, default: text }: Parameter): string {
  if (text !== undefined) return `${inlineCode(text)} when left out`;
  return required || kind === 'switch' ? '' : 'may be left out';
}

const WIDEST = 40;

/** Commands, one a line, with what they are about in a column; in Markdown. */
export function commandList(commands: readonly Described[]): string {
  if (commands.length === 0) return 'There are no commands.';
  const widths = commands.map(({ usage }) => displayWidth(usage));
  const column = Math.max(...widths.map((width) => (width > WIDEST ? 0 : width)));
  const lines = commands.map(({ usage, about }, index) => {
    if (about === '') return usage;
    const width = widths[index] ?? 0;
    const gap = width > column ? `\n${' '.repeat(column || 2)}` : ' '.repeat(column - width);
    return `${usage}${gap}  ${about}`;
  });
  return codeBlock(lines.join('\n'));
}
