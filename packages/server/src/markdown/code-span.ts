/** A text as inline code, in one line: every character is shown as it is, and nothing mentions anybody. */
export function codeSpan(text: string): string {
  const line = text.toWellFormed().replaceAll(/\s+/g, ' ');
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? fence + line + fence : `${fence} ${line} ${fence}`;
}
