import { ApiError } from '@bellhop/protocol';

import { Turns } from '../engine/turns.ts';
import { imageType } from './image-type.ts';
import type { Rendition, ResizedImage } from './rendition.ts';
import { type ImageProcess, startImageProcess } from './start-image-process.ts';

/** Larger files are not decoded. */
export const MAX_IMAGE_BYTES = 33_554_432;
/** From the start of one image until it is resized. */
const TIME_LIMIT_MS = 15_000;
/** After this time without an image, the process ends and gives back its memory. */
const IDLE_MS = 10_000;
const MAX_WAITING = 500;
/** Images of one person that wait or are decoded. */
const MAX_WAITING_OF_ONE = 5;
/** The limit of all waiting images together: they are in memory. */
const MAX_WAITING_BYTES = 268_435_456;

export interface ImageFile {
  readonly bytes: Uint8Array;
  /** Whose turn it takes, as `Turns` counts people. */
  readonly person: string;
}

/** Decodes and resizes images of strangers, one at a time, outside of this process. */
export interface Images {
  /**
   * Makes renditions of a PNG, JPEG, GIF, WebP or AVIF image; without renditions, only describes
   * the image. People take turns. Throws BAD_IMAGE for other files, for damaged and for too large
   * images, and RATE_LIMIT_HIT if too many images of the person wait. Throws SERVICE_UNAVAILABLE if
   * the image took too long, and if too many images wait. Call it outside of a transaction.
   */
  readonly resize: (file: ImageFile, renditions: readonly Rendition[]) => Promise<ResizedImage>;
  readonly stop: () => void;
}

interface ImagesOptions {
  readonly timeLimitMs?: number;
  readonly idleMs?: number;
  readonly maxWaiting?: number;
}

export function createImages({
  timeLimitMs = TIME_LIMIT_MS,
  idleMs = IDLE_MS,
  maxWaiting = MAX_WAITING,
}: ImagesOptions = {}): Images {
  let running: ImageProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  const turns = new Turns({
    atOnce: 1,
    ofOne: MAX_WAITING_OF_ONE,
    refusal: `The server is still processing ${MAX_WAITING_OF_ONE} images of yours.`,
  });
  let waiting = 0;
  let waitingBytes = 0;
  let isStopped = false;

  const endProcess = () => {
    clearTimeout(idle);
    running?.kill();
    running = undefined;
  };

  async function resizeNow(bytes: Uint8Array, renditions: readonly Rendition[]) {
    clearTimeout(idle);
    if (isStopped) throw unavailable('The server is stopping.');
    if (!running?.isAlive()) running = startImageProcess();
    const timer = setTimeout(endProcess, timeLimitMs);
    try {
      const response = await running.resize({ bytes, renditions });
      if (!response)
        throw unavailable('The image took too long to process. Try again, or use a smaller one.');
      if ('refusal' in response) throw new ApiError('BAD_IMAGE', { message: response.refusal });
      return response.result;
    } finally {
      clearTimeout(timer);
      idle = setTimeout(endProcess, idleMs).unref();
    }
  }

  return {
    async resize({ bytes, person }, renditions) {
      if (!imageType(bytes)) throw new ApiError('BAD_IMAGE');
      if (bytes.length > MAX_IMAGE_BYTES)
        throw new ApiError('BAD_IMAGE', {
          message: `The image is larger than ${MAX_IMAGE_BYTES / 1_048_576} MiB.`,
        });
      if (waiting >= maxWaiting || waitingBytes + bytes.length > MAX_WAITING_BYTES)
        throw unavailable('The server is processing too many images. Try again in a few seconds.');
      waiting += 1;
      waitingBytes += bytes.length;
      try {
        return await turns.run(person, () => resizeNow(bytes, renditions));
      } finally {
        waiting -= 1;
        waitingBytes -= bytes.length;
      }
    },
    stop() {
      isStopped = true;
      endProcess();
    },
  };
}

const unavailable = (message: string) => new ApiError('SERVICE_UNAVAILABLE', { message });
