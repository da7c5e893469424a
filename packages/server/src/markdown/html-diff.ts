import { diffArrays } from 'diff';

/** A tag, an entity, a word, white space, or any other single character. */
const pieces = /<[^>]*>|&#?\w+;|[\p{L}\p{M}\p{N}_]+|\s+|./gsu;
/** With more different pieces than this all old text counts as deleted and all new text as inserted. */
const MAX_DIFFERENCES = 200;

/**
 * The new HTML with inserted text in `<span class="highlight_text_inserted">` and deleted text in
 * `<span class="highlight_text_deleted">`. Marks text only: the tags are those of the new version.
 */
export function htmlDiff(before: string, after: string): string {
  const [old, young] = [before.match(pieces) ?? [], after.match(pieces) ?? []];
  const changes = diffArrays(old, young, { maxEditLength: MAX_DIFFERENCES }) ?? [
    { value: old, removed: true, added: false },
    { value: young, removed: false, added: true },
  ];
  return changes
    .map(({ value, added, removed }) => {
      if (added) return marked(value, 'highlight_text_inserted');
      if (!removed) return value.join('');
      return marked(
        value.filter((piece) => !isTag(piece)),
        'highlight_text_deleted',
      );
    })
    .join('');
}

const isTag = (piece: string) => piece.startsWith('<');

/** Wraps every run of text between tags. */
function marked(value: readonly string[], className: string): string {
  return value
    .join('')
    .replace(/(?<=^|>)[^<]+/g, (text) =>
      /\S/.test(text) ? `<span class="${className}">${text}</span>` : text,
    );
}
