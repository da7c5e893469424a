/** Longer labels and targets are text. The limit keeps the time of many unclosed brackets linear. */
const MAX_LENGTH = 2000;

const TARGET_IN_ANGLES = /<([^<>\n]*)>/y;
const TITLE = /[^\S\n]*(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\))?[^\S\n]*\)/y;

/**
 * The Markdown link or image at a place of a text, such as `[text](target "title")`. The text may have
 * brackets, and the target parentheses, in pairs or after a backslash.
 */
export function linkAt(
  text: string,
  start: number,
): { readonly target: string; readonly end: number } | undefined {
  const open = text.startsWith('![', start) ? start + 1 : start;
  const labelEnd = pairEnd(text, open, '[]');
  if (labelEnd === undefined || text.charAt(labelEnd) !== '(') return undefined;
  const from = matchEnd(/[^\S\n]*/y, text, labelEnd + 1) ?? labelEnd + 1;
  const angles = matchEnd(TARGET_IN_ANGLES, text, from);
  const bare = angles === undefined ? targetEnd(text, from) : from;
  const target = text.slice(from, angles ?? bare);
  const end = matchEnd(TITLE, text, angles ?? bare);
  return end === undefined ? undefined : { target: target.replace(/^<(.*)>$/, '$1'), end };
}

/** The link that a text is. */
export function linkIn(text: string) {
  const link = linkAt(text, 0);
  return link?.end === text.length ? link : undefined;
}

/** The place after the bracket that closes the one at `start`. */
function pairEnd(text: string, start: number, [open, close]: string): number | undefined {
  if (text.charAt(start) !== open) return undefined;
  let depth = 0;
  for (let at = start; at < Math.min(text.length, start + MAX_LENGTH); at += 1) {
    const character = text.charAt(at);
    if (character === '\\') at += 1;
    else if (character === open) depth += 1;
    else if (character === close && (depth -= 1) === 0) return at + 1;
  }
  return undefined;
}

/** The end of a target without angle brackets: white space, or the parenthesis that closes the link. */
function targetEnd(text: string, start: number): number {
  let depth = 0;
  let at = start;
  for (; at < Math.min(text.length, start + MAX_LENGTH); at += 1) {
    const character = text.charAt(at);
    if (/\s/.test(character) || (character === ')' && depth === 0)) return at;
    if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
  }
  return at;
}

function matchEnd(pattern: RegExp, text: string, start: number): number | undefined {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
