/** A code span, with its marks. The limits of all patterns keep the time of hostile texts linear. */
const CODE = /(`{1,3}[^`\n]{1,300}`{1,3})/;

const reductions: readonly (readonly [RegExp, string])[] = [
  [/^ {0,3}(?:```|~~~)[^\n]{0,50}$/gm, ''],
  [/!?\[([^\]\n]{0,300})\]\([^()\n]{0,500}\)/g, '$1'],
  [/@_?\*\*([^*|\n]{1,200})(?:\|\d{1,10})?\*\*/g, '@$1'],
  [/@_?\*([^*\n]{1,200})\*/g, '@$1'],
  [/#\*\*([^*\n]{1,200})\*\*/g, '#$1'],
  [/(?<![\w:]):[a-z+-][\w+-]{1,50}:(?![\w:])/g, ''],
  [/<time:([^<>\n]{1,100})>/g, '$1'],
  [/(\*\*|__|~~)(?=\S)([^\n]{1,300}?)\1/g, '$2'],
  [/(?<![\w*])([*_])(?=[^\s*_])([^\n*_]{1,300})\1(?!\w)/g, '$2'],
  [/^ {0,3}(?:#{1,6} |> ?)/gm, ''],
];

/** A text in Markdown as one line of plain text, for a place that shows no Markdown. */
export function plainText(markdown: string): string {
  const pieces = markdown
    .split(CODE)
    .map((piece, at) =>
      at % 2 === 1
        ? piece.replaceAll('`', '')
        : reductions.reduce((text, [mark, plain]) => text.replace(mark, plain), piece),
    );
  return pieces.join('').replace(/\s+/g, ' ').trim();
}
