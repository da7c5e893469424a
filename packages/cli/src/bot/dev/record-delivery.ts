import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Payload } from './dev-wire.ts';

/** Writes a message to a file that `bellhop bot receive` reads; returns its path. */
export async function recordDelivery(directory: string, payload: Payload): Promise<string> {
  const { trigger, message } = payload;
  const path = join(directory, `${message.id}-${trigger}.json`);
  await mkdir(directory, { recursive: true });
  await writeFile(path, `${JSON.stringify(payload, null, 2)}\n`, { mode: 0o600 });
  return path;
}
