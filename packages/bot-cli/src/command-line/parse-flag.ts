/** Parses a number that is not negative. Throws a SyntaxError. */
export function parseNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0)) throw new SyntaxError('write a number, as 10 or 0.5');
  return value;
}

/** Parses a number of seconds above 0 into milliseconds. Throws a SyntaxError. */
export function parseSeconds(text: string): number {
  const ms = Number(text) * 1000;
  if (!(ms > 0)) throw new SyntaxError('write a number of seconds, as 10 or 0.5');
  return ms;
}

/** Parses the address of an HTTP endpoint. Throws a SyntaxError. */
export function parseHttpUrl(text: string): string {
  if (/^https?:/.test(text) && URL.canParse(text)) return text;
  throw new SyntaxError('write an HTTP address, as http://127.0.0.1:3000/');
}

/** Parses a port that leaves room for four more; 0 is any free one. Throws a SyntaxError. */
export function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_531) return port;
  throw new SyntaxError('write a port from 0 to 65531');
}
