const hues = [262, 205, 158, 28, 340, 300, 95, 232];

/** The first letters of a name on a colour that belongs to the ID. */
export const Avatar = ({ name, id, small }: { name: string; id: number; small?: boolean }) => (
  <span
    class={small ? 'avatar small' : 'avatar'}
    style={{ background: `oklch(0.5 0.13 ${hues[id % hues.length] ?? 0})` }}
    aria-hidden="true"
  >
    {initials(name)}
  </span>
);

const letters = new Intl.Segmenter();
const firstOf = (word: string) => letters.segment(word).containing(0)?.segment ?? '';

const initials = (name: string): string => {
  const words = name.trim().split(/\s+/);
  return firstOf(words[0] ?? '') + (words.length > 1 ? firstOf(words.at(-1) ?? '') : '');
};
