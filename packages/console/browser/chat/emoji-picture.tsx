import type { EmojiImage } from './emoji.ts';

/** The image of an emoji beside its name; a still one for people who want no motion. */
export const EmojiPicture = ({ source_url, still_url }: EmojiImage) => (
  <picture class="emoji-picture">
    {still_url !== null && <source media={NO_MOTION} srcset={still_url} />}
    <img src={source_url} alt="" />
  </picture>
);

export const NO_MOTION = '(prefers-reduced-motion: reduce)';
