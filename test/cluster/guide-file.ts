import { readFile } from 'node:fs/promises';

const FILES = new URL('../../docs/self-hosting/cluster/', import.meta.url);

export type Filling = readonly [text: string, by: string];

/**
 * A file of docs/self-hosting/cluster with the addresses of this machine. Throws if it has not what is
 * replaced, or another address of the guide.
 */
export async function guideFile(name: string, fillings: readonly Filling[]): Promise<string> {
  let text = await readFile(new URL(name, FILES), 'utf8');
  for (const [from, to] of fillings) {
    if (!text.includes(from)) throw new Error(`${name} lacks ${JSON.stringify(from)}`);
    text = text.replaceAll(from, to);
  }
  const left = /^[^#\n]*10\.0\.0\.\d+.*$/m.exec(text);
  if (left) throw new Error(`${name} has another address: ${left[0]}`);
  return text;
}
