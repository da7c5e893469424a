import type { App } from '../../engine/app.ts';
import type { User } from '../../engine/caller.ts';
import { personOf } from '../../engine/turns.ts';
import { squareOf } from '../../images/rendition.ts';
import type { AvatarSize } from './queries.ts';

/** An uploaded avatar as PNG squares. */
export type AvatarPictures = Readonly<Record<AvatarSize, Buffer>>;

const SMALL = 100;
const MEDIUM = 500;
const png = { format: 'png', animated: false } as const;

/**
 * Makes both sizes of an avatar that a user uploads, of an animation its first frame. Takes up to
 * seconds: call it outside of a transaction. Throws BAD_IMAGE, and RATE_LIMIT_HIT as `Images`.
 */
export async function avatarPictures(
  { images }: Pick<App, 'images'>,
  user: User,
  bytes: Uint8Array,
): Promise<AvatarPictures> {
  const made = await images.resize({ bytes, person: personOf(user) }, [
    squareOf(SMALL, png),
    squareOf(MEDIUM, png),
  ]);
  const [small, medium] = made.images;
  if (!small || !medium) throw new Error('A size of the avatar is missing');
  return { small: small.bytes, medium: medium.bytes };
}
