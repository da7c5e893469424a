import type { Db } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import type { Previews } from '../../markdown/fill-previews.ts';
import { pathOf } from './attachment-record.ts';
import * as queries from './queries.ts';
import type { UploadRow } from './queries.ts';
import { shownFormat } from './thumbnail-formats.ts';

/** The previews of these files in the messages that link them. */
export const previewsOf = (rows: readonly UploadRow[]): Previews =>
  new Map(
    rows.flatMap((row) => {
      const preview = previewOf(row);
      return preview ? [[pathOf(row), preview]] : [];
    }),
  );

function previewOf(row: UploadRow) {
  const { image_state, image_type: type, image_width: width, image_height: height } = row;
  if (image_state === 'pending') return 'pending';
  if (image_state === null || type === null || width === null || height === null) return undefined;
  const frames = row.image_frames ?? 1;
  return { type, width, height, isAnimated: frames > 1, thumbnail: shownFormat(frames) };
}

/** The part of a path by which its file is found. */
export const tokenOf = (path: string): string => path.split('/')[1] ?? '';

/** The same for content that a user has not sent yet: of the files that they may download. */
export const previewsFor = async (
  db: Db,
  user: User,
  paths: readonly string[],
): Promise<Previews> => previewsOf(await queries.visibleNow(db, user, paths.map(tokenOf)));
