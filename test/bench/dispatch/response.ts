const END_OF_HEAD = '\r\n\r\n';
const END_OF_CHUNKS = '0\r\n\r\n';

/** Whether these bytes are a whole answer of HTTP/1.1. Throws when its status is not 200. */
export function isWhole(answer: Buffer): boolean {
  const text = answer.toString('latin1');
  const headEnd = text.indexOf(END_OF_HEAD);
  if (headEnd < 0) return false;
  if (!text.startsWith('HTTP/1.1 200 ')) throw new Error(`Refused: ${text.slice(0, 200)}`);
  const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
  if (length === undefined) return text.endsWith(END_OF_CHUNKS);
  return text.length >= headEnd + END_OF_HEAD.length + Number(length);
}
