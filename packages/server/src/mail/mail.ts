import { MAX_EMAIL_LENGTH } from '@bellhop/protocol';
import { z } from 'zod';

/** A mail to one person, in both its forms. */
export const Mail = z.object({
  to: z.string().max(MAX_EMAIL_LENGTH),
  /** The name of the sender: that of the realm. */
  from_name: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
});
export type Mail = z.output<typeof Mail>;

/** A paragraph; a link below a label; a text that a person wrote. */
export type MailBlock = string | { readonly label: string; readonly url: string } | MailQuote;
interface MailQuote {
  readonly quote: string;
}

interface MailContent {
  readonly to: string;
  readonly realm: { readonly name: string };
  readonly subject: string;
  readonly blocks: readonly MailBlock[];
}

/**
 * Writes a mail as text and as HTML. Put names into subject and paragraphs by `mailName`. The HTML
 * has no images and no address but those of the link blocks.
 */
export function composeMail({ to, realm, subject, blocks }: MailContent): Mail {
  return {
    to,
    from_name: oneLine(realm.name),
    subject: oneLine(subject),
    text: `${blocks.map(blockAsText).join('\n\n')}\n`,
    html: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"></head>
<body style="font:16px/1.5 sans-serif;max-width:36rem;margin:1rem auto;padding:0 1rem;color:#1b2733">
${blocks.map(blockAsHtml).join('\n')}
</body></html>
`,
  };
}

function blockAsText(block: MailBlock): string {
  if (typeof block === 'string') return oneLine(block);
  if ('url' in block) return `${block.label}:\n${block.url}`;
  return harmless(block.quote)
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

function blockAsHtml(block: MailBlock): string {
  if (typeof block === 'string') return `<p>${escapeHtml(oneLine(block))}</p>`;
  if ('url' in block) {
    const url = escapeHtml(block.url);
    return `<p>${escapeHtml(block.label)}:<br><a href="${url}">${url}</a></p>`;
  }
  const text = escapeHtml(harmless(block.quote));
  return `<blockquote style="white-space:pre-line;margin:1em 0;padding-left:1em;border-left:3px solid #d7dfe7">${text}</blockquote>`;
}

const RIGHT_TO_LEFT =
  /\p{Script=Arabic}|\p{Script=Hebrew}|\p{Script=Syriac}|\p{Script=Thaana}|\p{Script=Nko}/u;

/**
 * A name for subject or paragraph: on one line, and a name from right to left does not reorder the
 * words around it. Mail programs that make links of texts like addresses make none of the name.
 */
export function mailName(name: string): string {
  const unlinked = oneLine(name)
    .replaceAll(/(?<=\S)\.(?=\S)/g, `.${WORD_JOINER}`)
    .replaceAll('://', `:${WORD_JOINER}//`)
    .replaceAll(/(?<=\S)@(?=\S)/g, `@${WORD_JOINER}`);
  return RIGHT_TO_LEFT.test(unlinked) ? `\u2068${unlinked}\u2069` : unlinked;
}
const WORD_JOINER = '\u2060';

const oneLine = (text: string): string =>
  harmless(text)
    .replaceAll(/[\s\u2028\u2029]+/g, ' ')
    .trim();

/** A text without half characters, control characters but newlines, and marks that reorder text. */
const harmless = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066\u2067]/gu, '');

const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
