/**
 * The content without the mention of the bot at its start, `@**Name**` or `@**Name|id**`, and without
 * a comma or colon after it. If the name of the bot is empty, a mention at the start is removed
 * whatever its name.
 */
export function addressedText(content: string, botName: string): string {
  const text = content.trim();
  if (!text.startsWith('@**')) return text;
  const end = text.indexOf('**', 3);
  if (end < 0) return text;
  const name = text.slice(3, end);
  if (name !== botName && botName !== '' && !isSameName(name, botName)) return text;
  const after = end + 2;
  const punctuated = text[after] === ',' || text[after] === ':';
  return text.slice(punctuated ? after + 1 : after).trimStart();
}

function isSameName(mentioned: string, name: string): boolean {
  return mentioned.replace(/\|\d+$/, '').toLowerCase() === name.toLowerCase();
}
