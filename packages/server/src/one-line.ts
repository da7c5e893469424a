/** The first `maxLength` UTF-16 units of a text from outside, on one line: storable, without control characters. */
export const oneLine = (text: string, maxLength: number): string =>
  text
    .slice(0, maxLength)
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
