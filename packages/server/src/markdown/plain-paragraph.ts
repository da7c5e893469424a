/**
 * Lines that start with a letter and hold nothing that Markdown, a link, a mention or an entity
 * could start from: a dot only before white space or the end, no `//`, no two spaces in a row, no
 * word between colons.
 */
const plainLine = String.raw`\p{L}(?:[\p{L}\p{M}\p{N},'"?!;()%=+\-]|:(?![\w+\-]+:)| (?! |\n|$)|\.(?=[ \n.]|$)|\/(?!\/))*`;
const plain = new RegExp(`^${plainLine}(?:\n${plainLine})*$`, 'u');

/** The HTML of text without any Markdown in it, or undefined when the parser has to decide. */
export function plainParagraph(content: string): string | undefined {
  if (content.length > 1000 || !plain.test(content)) return undefined;
  return `<p>${content.includes('\n') ? content.replaceAll('\n', '<br>\n') : content}</p>`;
}
