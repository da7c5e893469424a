import { closeMarkdown } from './close-markdown.ts';
import { openBlocks } from './open-blocks.ts';

export interface Split {
  /** A text of its own, all closed. */
  readonly head: string;
  /** Where in the text the next one begins. */
  readonly at: number;
  /** What to write before that: the fences that were open, opened again. */
  readonly reopened: string;
}

/** Of the line that opens a fence, so much is repeated. */
const LONGEST_OPENING = 100;

/** How many ends of paragraphs are tried for one outside all fences. */
const MOST_TRIED = 20;

/**
 * Splits a text that is too long for one message: after a paragraph, outside fences if there is such
 * a place in its second half, or else after a line, a word, or anywhere.
 */
export function splitMarkdown(text: string, limit: number): Split {
  for (let room = limit; ;) {
    const at = boundary(text, Math.max(1, room));
    const head = closeMarkdown(text.slice(0, at)).trimEnd();
    if (head.length > limit && room > 1) {
      // The closing marks have to fit as well.
      room -= Math.max(head.length - limit, 1);
      continue;
    }
    const { fences } = openBlocks(`${text.slice(0, at)}\n`);
    const reopened = fences.map(({ opening }) => `${opening.slice(0, LONGEST_OPENING)}\n`);
    const gap = /^(?:\s*\n| )/.exec(text.slice(at))?.[0].length ?? 0;
    return { head, at: at + gap, reopened: reopened.join('') };
  }
}

function boundary(text: string, room: number): number {
  const least = Math.floor(room / 2);
  const paragraphs: number[] = [];
  for (let at = room; paragraphs.length < MOST_TRIED; at = (paragraphs.at(-1) ?? 0) - 1) {
    const found = at < 0 ? -1 : text.lastIndexOf('\n\n', at);
    if (found < least || found <= 0) break;
    paragraphs.push(found);
  }
  const outside = paragraphs.find((at) => openBlocks(text.slice(0, at)).fences.length === 0);
  const best = outside ?? paragraphs[0] ?? lastOf(text, '\n', [least, room]);
  if (best !== undefined) return best;
  const word = lastOf(text, ' ', [least, room]);
  if (word !== undefined) return word;
  // Not between the halves of a character.
  return /[\uD800-\uDBFF]/.test(text[room - 1] ?? '') && room > 1 ? room - 1 : room;
}

function lastOf(text: string, mark: string, [least, room]: [number, number]): number | undefined {
  const at = text.lastIndexOf(mark, room);
  return at > 0 && at >= least ? at : undefined;
}
