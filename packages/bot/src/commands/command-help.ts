import { displayWidth } from './display-width.ts';
import { codeBlock, inlineCode } from './markdown-code.ts';
import type { Parameter, Usage } from './read-usage.ts';

interface CommandDescription {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly about: string;
  readonly usage: string;
}

/** The help text of one command in Markdown. */
export function commandHelp(of: {
  readonly command: CommandDescription;
  readonly usage: Usage;
  /** The purpose of each argument, by key. */
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
  const about = [purpose ?? '', valueText(parameter), defaultText(parameter)];
  const text = about.filter((part) => part !== '').join('; ');
  return `* ${names.map((word) => inlineCode(word)).join(', ')}: ${text}`;
}

function valueText({ kind, takes, expects }: Parameter): string {
  if (kind === 'switch') return 'a switch';
  if (takes === 'text') return 'the rest of the text';
  return takes === 'list' ? `${expects}; may be repeated` : expects;
}

function defaultText({ required, kind, default: text }: Parameter): string {
  if (text !== undefined) return `${inlineCode(text)} by default`;
  return required || kind === 'switch' ? '' : 'optional';
}

const MAX_COLUMN = 40;

/** A Markdown list of commands, one per line, with their descriptions in a second column. */
export function commandList(commands: readonly CommandDescription[]): string {
  if (commands.length === 0) return 'There are no commands.';
  const widths = commands.map(({ usage }) => displayWidth(usage));
  const column = Math.max(...widths.map((width) => (width > MAX_COLUMN ? 0 : width)));
  const lines = commands.map(({ usage, about }, index) => {
    if (about === '') return usage;
    const width = widths[index] ?? 0;
    const gap = width > column ? `\n${' '.repeat(column || 2)}` : ' '.repeat(column - width);
    return `${usage}${gap}  ${about}`;
  });
  return codeBlock(lines.join('\n'));
}
