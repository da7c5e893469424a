import type { ImageType } from './image-type.ts';

/** An image to make from another one, without its metadata. */
export interface Rendition {
  /** Pixels of the box. */
  readonly width: number;
  readonly height: number;
  /**
   * `cover` fills the box and crops the image; `contain` fills it with transparent borders;
   * `inside` keeps the shape and enlarges nothing.
   */
  readonly fit: 'cover' | 'contain' | 'inside';
  readonly format: 'png' | 'webp' | 'gif';
  /** Whether an animation stays one. Otherwise, and always for PNG, the first frame is taken. */
  readonly animated: boolean;
}

/** A square with sides of `size` pixels, cut from the middle of the image. */
export const squareOf = (
  size: number,
  options: Pick<Rendition, 'format' | 'animated'> & Partial<Pick<Rendition, 'fit'>>,
): Rendition => ({ fit: 'cover', ...options, width: size, height: size });

/**
 * Facts about an image file. Width and height are in pixels, after the rotation that the file asks
 * for.
 */
export interface ImageSource {
  readonly type: ImageType;
  readonly width: number;
  readonly height: number;
  readonly frames: number;
}

export interface RenderedImage {
  readonly type: ImageType;
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
  readonly frames: number;
}

export interface ResizedImage {
  readonly source: ImageSource;
  /** One image per rendition, in the same order. */
  readonly images: readonly RenderedImage[];
}

/** To and from the image process. */
export interface ResizeRequest {
  readonly id: number;
  readonly bytes: Uint8Array;
  readonly renditions: readonly Rendition[];
}
export type ResizeResponse = { readonly id: number } & (
  | { readonly result: ResizedImage }
  | { readonly refusal: string }
);
