/** The lines of a page without the padding that the formatter gives the cells of tables. */
export const tableRows = (text: string): string[] =>
  text.split('\n').map((line) => line.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---'));
