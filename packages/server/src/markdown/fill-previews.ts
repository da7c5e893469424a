import { uploadPath } from './upload-link.ts';

/** An uploaded image whose thumbnails are ready. */
interface PreviewedImage {
  /** The media type of the file. */
  readonly type: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly isAnimated: boolean;
  /** The name of the format that is shown. */
  readonly thumbnail: string;
}

/** The linked images by the part of their address after /user_uploads/. Other files have no preview. */
export type Previews = ReadonlyMap<string, PreviewedImage | 'pending'>;

export const noPreviews: Previews = new Map();

/**
 * The form in which `renderImagePreview` writes a preview and this function replaces it, without an
 * empty title. The HTML that people write is escaped, so it cannot match.
 */
const PREVIEW =
  /<div class="message_inline_image"><a href="\/user_uploads\/([^"]+)"(?: title="[^"]*")?>(<img [^>]*>)<\/a><\/div>(\n?)/g;

/**
 * Puts thumbnails into the previews of rendered content. A pending image keeps the loading image;
 * the preview of a file that is no image is removed.
 */
export const fillPreviews = (html: string, previews: Previews): string =>
  html
    .replace(PREVIEW, (whole: string, path: string, shown: string) => {
      const image = previews.get(uploadPath(`/user_uploads/${path}`, undefined) ?? '');
      if (image === undefined) return '';
      return image === 'pending' ? whole : whole.replace(shown, thumbnailOf(path, image));
    })
    .trimEnd();

function thumbnailOf(path: string, image: PreviewedImage): string {
  const { type, width, height, isAnimated, thumbnail } = image;
  const animated = isAnimated ? 'data-animated="true" ' : '';
  return `<img ${animated}data-original-content-type="${type}" data-original-dimensions="${width}x${height}" src="/user_uploads/thumbnail/${path}/${thumbnail}">`;
}
