import type { Rendition } from '../../images/rendition.ts';

/** The thumbnails of an image, as `server_thumbnail_formats` names them. */
export const thumbnailFormats = [
  { name: '840x560.webp', max_width: 840, max_height: 560, format: 'webp', animated: false },
  { name: '840x560-anim.webp', max_width: 840, max_height: 560, format: 'webp', animated: true },
] as const;

type ThumbnailFormat = (typeof thumbnailFormats)[number];

/** The formats of an image: those with animation only if it has several frames. */
export const formatsOf = (frames: number): readonly ThumbnailFormat[] =>
  thumbnailFormats.filter(({ animated }) => !animated || frames > 1);

export const renditionOf = ({
  max_width,
  max_height,
  format,
  animated,
}: ThumbnailFormat): Rendition => ({
  width: max_width,
  height: max_height,
  fit: 'inside',
  format,
  animated,
});

/** The format that messages show. */
export const shownFormat = (frames: number): string =>
  frames > 1 ? '840x560-anim.webp' : '840x560.webp';
