const END_OF_HEAD = '\r\n\r\n';
const END_OF_CHUNKS = '0\r\n\r\n';

/**
 * The body of an HTTP/1.1 response, undefined while a part of it is missing. A chunked body keeps its
 * chunk sizes. Throws if the status is not 200.
 */
export function bodyOf(response: Buffer): string | undefined {
  const text = response.toString('latin1');
  const headEnd = text.indexOf(END_OF_HEAD);
  if (headEnd < 0) return undefined;
  if (!text.startsWith('HTTP/1.1 200 ')) throw new Error(`Refused: ${text.slice(0, 400)}`);
  const start = headEnd + END_OF_HEAD.length;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
  const isComplete =
    length === undefined ? text.endsWith(END_OF_CHUNKS) : text.length >= start + Number(length);
  return isComplete ? text.slice(start) : undefined;
}
