import { writeFile } from 'node:fs/promises';
import { setPriority } from 'node:os';

import type { ResizeRequest, ResizeResponse } from './rendition.ts';
import { resizeImage, UnusableImage } from './resize-image.ts';

// The program of the process that decodes images, started by images.ts. It yields to the server when
// processor time is short, and ends before the server and the database when memory is.
setPriority(10);
await writeFile('/proc/self/oom_score_adj', '1000').catch(() => undefined);

process.on('disconnect', () => process.exit());
process.on('message', (request: ResizeRequest) => {
  void respond(request).then((response) => process.send?.(response));
});

async function respond({ id, bytes, renditions }: ResizeRequest): Promise<ResizeResponse> {
  try {
    return { id, result: await resizeImage(bytes, renditions) };
  } catch (error) {
    if (error instanceof UnusableImage) return { id, refusal: error.message };
    throw error;
  }
}
