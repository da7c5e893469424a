import type { Insertable } from 'kysely';

import type { User } from '../../engine/caller.ts';
import type { Tables } from '../../engine/tables.ts';
import { personOf } from '../../engine/turns.ts';
import { imageType } from '../../images/image-type.ts';
import type { Images } from '../../images/images.ts';
import { squareOf } from '../../images/rendition.ts';

/** Pixels of each side. */
const EMOJI_SIZE = 64;

type EmojiImage = Pick<Insertable<Tables['realm_emoji']>, 'media_type' | 'bytes' | 'still_bytes'>;

/** Cuts an image that a user uploads to the size of an emoji. An animation stays one. Throws as `Images`. */
export async function emojiImage(
  images: Images,
  user: User,
  bytes: Uint8Array,
): Promise<EmojiImage> {
  const type = imageType(bytes);
  const still = squareOf(EMOJI_SIZE, { format: 'png', animated: false });
  const isMoving = type === 'image/gif' || type === 'image/webp';
  const format = type === 'image/webp' ? 'webp' : 'gif';
  const moving = isMoving ? [squareOf(EMOJI_SIZE, { format, animated: true })] : [];
  const [picture, animation] = (
    await images.resize({ bytes, person: personOf(user) }, [still, ...moving])
  ).images;
  if (!picture) throw new Error('The image of an emoji was not rendered');
  return animation && animation.frames > 1
    ? { media_type: `image/${format}`, bytes: animation.bytes, still_bytes: picture.bytes }
    : { media_type: 'image/png', bytes: picture.bytes, still_bytes: null };
}
