import type { RealmEmoji, RealmId } from '@bellhop/protocol';

import type { Tables } from '../../engine/tables.ts';

type MediaType = Tables['realm_emoji']['media_type'];
interface EmojiFile {
  readonly realm_id: RealmId;
  readonly id: number;
  readonly media_type: MediaType;
}

const PATH = /^\/user_avatars\/(\d{1,15})\/emoji\/images\/(still\/)?(\d{1,15})\.(png|gif|webp)$/;

/** Whether a path is that of the image of a custom emoji. */
export const isEmojiPath = (path: string): boolean => PATH.test(path);

/** The path of the image of a custom emoji. */
export const sourcePath = ({ realm_id, id, media_type }: EmojiFile): string =>
  `/user_avatars/${realm_id}/emoji/images/${id}.${media_type.replace('image/', '')}`;

const stillPath = ({ realm_id, id }: EmojiFile): string =>
  `/user_avatars/${realm_id}/emoji/images/still/${id}.png`;

export const pathsOf = (
  file: EmojiFile,
  isAnimated: boolean,
): Pick<RealmEmoji, 'source_url' | 'still_url'> => ({
  source_url: sourcePath(file),
  still_url: isAnimated ? stillPath(file) : null,
});

/** The realm and the emoji of a path, and whether the path is that of the first frame. */
export function parseEmojiPath(path: string) {
  const [, realm_id, still, id, extension] = PATH.exec(path) ?? [];
  return id === undefined
    ? undefined
    : { realm_id: Number(realm_id), id: Number(id), isStill: still !== undefined, extension };
}
