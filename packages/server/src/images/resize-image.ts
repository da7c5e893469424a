import sharp, { type Metadata } from 'sharp';

import { type ImageType, imageType } from './image-type.ts';
import type { ImageSource, RenderedImage, Rendition, ResizedImage } from './rendition.ts';

/** The limit of one frame. No decoder then takes more than about 400 MB. */
const maxPixels: Readonly<Record<ImageType, number>> = {
  'image/png': 64_000_000,
  'image/jpeg': 64_000_000,
  'image/webp': 64_000_000,
  'image/gif': 32_000_000,
  'image/avif': 16_000_000,
};
/** The limit of all frames of an animation together; further frames are left out. */
const MAX_ANIMATED_PIXELS = 16_000_000;
const MAX_FRAMES = 200;

sharp.cache(false);
sharp.concurrency(1);
// The only formats that are decoded: no SVG, PDF or TIFF.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}Buffer`),
});

/** The image is damaged, too large or of another type. The message is for the person who sent it. */
export class UnusableImage extends Error {}

const damaged = () =>
  new UnusableImage('The image is damaged, or of a kind that is not supported.');

/** Decodes an image and makes renditions of it. Throws UnusableImage. */
export async function resizeImage(
  bytes: Uint8Array,
  renditions: readonly Rendition[],
): Promise<ResizedImage> {
  const source = await sourceOf(bytes);
  const images: RenderedImage[] = [];
  // Renditions are made one after the other: each may need all the memory that one image may take.
  for (const rendition of renditions) images.push(await render(bytes, source, rendition));
  return { source, images };
}

async function sourceOf(bytes: Uint8Array): Promise<ImageSource> {
  const type = imageType(bytes);
  if (!type) throw damaged();
  const { autoOrient, pages = 1 } = await metadataOf(bytes);
  const { width, height } = autoOrient;
  if (width * height > maxPixels[type])
    throw new UnusableImage(
      `The image has more than ${maxPixels[type] / 1_000_000} million pixels: make it smaller.`,
    );
  return { type, width, height, frames: type === 'image/avif' ? 1 : pages };
}

async function metadataOf(bytes: Uint8Array): Promise<Metadata> {
  try {
    return await sharp(bytes, { limitInputPixels: false }).metadata();
  } catch {
    throw damaged();
  }
}

/** How many frames of an animation are kept. */
function keptFrames({ width, height, frames }: ImageSource): number {
  const affordable = Math.floor(MAX_ANIMATED_PIXELS / (width * height));
  return Math.max(1, Math.min(frames, MAX_FRAMES, affordable));
}

async function render(
  bytes: Uint8Array,
  source: ImageSource,
  { width, height, fit, format, animated }: Rendition,
): Promise<RenderedImage> {
  const pages = animated && format !== 'png' ? keptFrames(source) : 1;
  try {
    const limitInputPixels = Math.max(maxPixels[source.type], MAX_ANIMATED_PIXELS);
    const input = sharp(bytes, { pages, limitInputPixels, failOn: 'error' });
    const { data, info } = await input
      .autoOrient()
      .resize({
        width,
        height,
        fit,
        background: '#0000',
        withoutEnlargement: fit === 'inside',
      })
      .toFormat(format, encoding[format])
      .toBuffer({ resolveWithObject: true });
    const type: ImageType = `image/${format}`;
    const shown = { width: info.width, height: info.pageHeight ?? info.height };
    return { type, bytes: data, ...shown, frames: info.pages ?? 1 };
  } catch {
    throw damaged();
  }
}

const encoding = {
  png: { compressionLevel: 9 },
  webp: { quality: 80, effort: 2 },
  gif: { effort: 4 },
} as const;
