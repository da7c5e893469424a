import { unescapeHtml } from './unescape.ts';

/** What the IDs in texts of Slack stand for here. */
export interface SlackNames {
  /** People and bots: the ID in the converted export, and the name. */
  readonly user: (id: string) => { readonly id: number; readonly name: string } | undefined;
  /** The names of channels. */
  readonly channel: (id: string) => string | undefined;
}

export interface ConvertedText {
  readonly content: string;
  /** The IDs in the converted export of those who are mentioned. */
  readonly mentioned: readonly number[];
}

const CODE = /```[\s\S]*?```|`[^`\n]+`/g;
const ANGLE = /<([^<>\n]{1,3000})>/g;

/** Markdown of a text in the markup of Slack ("mrkdwn"). Code stays as it is. */
export function convertText(text: string, names: SlackNames): ConvertedText {
  const mentioned = new Set<number>();
  let content = '';
  let at = 0;
  for (const match of text.matchAll(CODE)) {
    content += convertProse(text.slice(at, match.index), names, mentioned);
    content += convertCode(match[0], content);
    at = match.index + match[0].length;
  }
  content += convertProse(text.slice(at), names, mentioned);
  return { content: content.trim(), mentioned: [...mentioned] };
}

/** Fences have lines of their own here. Links in code are addresses. */
function convertCode(code: string, before: string): string {
  const plain = unescapeHtml(
    code.replace(ANGLE, (_all, inside: string) => inside.split('|').at(-1) ?? inside),
  );
  if (!plain.startsWith('```')) return plain;
  const body = plain.slice(3, -3).replace(/^\n|\n$/g, '');
  return `${before === '' || before.endsWith('\n') ? '' : '\n'}\`\`\`\n${body}\n\`\`\`\n`;
}

function convertProse(text: string, names: SlackNames, mentioned: Set<number>): string {
  // What is between angles is set aside, between signs of private use, so that a `_` or `*` in an address stays.
  const kept: string[] = [];
  const aside = text.replace(ANGLE, (_all, inside: string) => {
    kept.push(convertAngle(inside, names, mentioned));
    return `\uE000${kept.length - 1}\uE001`;
  });
  const styled = aside
    .replace(/(?<![\w*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*])/g, '**$1**')
    .replace(/(?<![\w_])_(?=\S)([^_\n]+?)(?<=\S)_(?![\w_])/g, '*$1*')
    .replace(/(?<![\w~])~(?=\S)([^~\n]+?)(?<=\S)~(?![\w~])/g, '~~$1~~')
    .replace(/::skin-tone-[2-6]:/g, ':')
    .replace(/^(?:&gt;)+/gm, (signs) => '>'.repeat(signs.length / 4))
    .replace(/^•\s+/gm, '* ');
  return unescapeHtml(styled).replace(
    /\uE000(\d+)\uE001/g,
    (_all, index: string) => kept[Number(index)] ?? '',
  );
}

/** What is between angles: a mention, a channel, a command to all, or a link. */
function convertAngle(inside: string, names: SlackNames, mentioned: Set<number>): string {
  const [target = '', label] = inside.split('|', 2);
  const shown = unescapeHtml(label ?? '');
  if (target.startsWith('@')) {
    const user = names.user(target.slice(1));
    if (!user) return `@${shown.replace(/^@/, '') || target.slice(1)}`;
    mentioned.add(user.id);
    return `@**${user.name}|${user.id}**`;
  }
  if (target.startsWith('#')) {
    const channel = names.channel(target.slice(1)) ?? undefined;
    return channel === undefined ? `#${shown || target.slice(1)}` : `#**${channel}**`;
  }
  if (/^!(?:channel|here|everyone)$/.test(target)) return '@**all**';
  if (target.startsWith('!')) return shown || `@${target.slice(1)}`;
  const address = unescapeHtml(target);
  if (label === undefined || shown === address || `mailto:${shown}` === address)
    return address.replace(/^mailto:/, '');
  return `[${shown.replaceAll(/[[\]]/g, ' ')}](${address.replaceAll(' ', '%20').replaceAll(')', '%29')})`;
}
