import { closeMarkdown } from './close-markdown.ts';
import { openBlocks } from './open-blocks.ts';

export interface MarkdownSplit {
  /** The first part, with all its Markdown closed. */
  readonly head: string;
  /** Offset in the text at which the rest begins. */
  readonly at: number;
  /** The opening lines of the fences that the split closed, to be put before the rest. */
  readonly reopened: string;
}

/** How many characters of the opening line of a fence are repeated. */
const MAX_OPENING_LENGTH = 100;

/** How many paragraph breaks are tried to find one outside all fences. */
const MAX_BREAKS_TRIED = 20;

/**
 * Splits a text that is too long for one message, in the second half of `limit`: at a paragraph break
 * outside all fences, else at any paragraph break, a line break or a space, else at the limit.
 */
export function splitMarkdown(text: string, limit: number): MarkdownSplit {
  for (let room = limit; ;) {
    const at = boundary(text, Math.max(1, room));
    const head = closeMarkdown(text.slice(0, at)).trimEnd();
    if (head.length > limit && room > 1) {
      // The closing marks must fit into the limit too.
      room -= Math.max(head.length - limit, 1);
      continue;
    }
    const { fences } = openBlocks(`${text.slice(0, at)}\n`);
    const reopened = fences.map(
      ({ opening }) => `${opening.slice(0, MAX_OPENING_LENGTH).toWellFormed()}\n`,
    );
    const gap = /^(?:\s*\n| )/.exec(text.slice(at))?.[0].length ?? 0;
    return { head, at: at + gap, reopened: reopened.join('') };
  }
}

function boundary(text: string, room: number): number {
  const least = Math.floor(room / 2);
  const paragraphs: number[] = [];
  for (let at = room; paragraphs.length < MAX_BREAKS_TRIED; at = (paragraphs.at(-1) ?? 0) - 1) {
    const found = at < 0 ? -1 : text.lastIndexOf('\n\n', at);
    if (found < least || found <= 0) break;
    paragraphs.push(found);
  }
  const outside = paragraphs.find((at) => openBlocks(text.slice(0, at)).fences.length === 0);
  const best = outside ?? paragraphs[0] ?? lastOf(text, '\n', [least, room]);
  if (best !== undefined) return best;
  const word = lastOf(text, ' ', [least, room]);
  if (word !== undefined) return word;
  // A surrogate pair is not split.
  return /[\uD800-\uDBFF]/.test(text[room - 1] ?? '') && room > 1 ? room - 1 : room;
}

function lastOf(text: string, mark: string, [least, room]: [number, number]): number | undefined {
  const at = text.lastIndexOf(mark, room);
  return at > 0 && at >= least ? at : undefined;
}
