import { crc32 } from 'node:zlib';

import sharp from 'sharp';

type Format = 'png' | 'jpeg' | 'gif' | 'webp' | 'avif' | 'tiff';

/** An image file of one colour. */
export const imageOf = (format: Format, width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#336699' } })
    .toFormat(format)
    .toBuffer();

/** An animation. Encoders merge frames that look alike: these have colours far apart. */
export async function animationOf(
  format: 'gif' | 'webp',
  { width, height, frames }: { width: number; height: number; frames: number },
): Promise<Buffer> {
  const stills = Array.from({ length: frames }, (_, at) =>
    sharp({
      create: {
        width,
        height,
        channels: 3,
        background: { r: (at * 97) % 256, g: (at * 181) % 256, b: 0 },
      },
    })
      .png()
      .toBuffer(),
  );
  return sharp(await Promise.all(stills), { join: { animated: true } })
    .toFormat(format)
    .toBuffer();
}

function pngChunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([size, body, check]);
}

/** A PNG of 45 bytes and more with a header that promises any number of pixels. */
export function pngWithHeader(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, 6], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const end = pngChunk('IEND', Buffer.alloc(0));
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', Buffer.alloc(20)),
    end,
  ]);
}

/** A GIF of 1 x 1 pixel that repeats its only frame. */
export function gifWithFrames(frames: number): Buffer {
  const start = Buffer.from('47494638396101000100800000000000ffffff', 'hex');
  const frame = Buffer.from('21f90401050000002c000000000100010000020144003b', 'hex').subarray(
    0,
    -1,
  );
  return Buffer.concat([start, ...Array<Buffer>(frames).fill(frame), Buffer.from('3b', 'hex')]);
}
