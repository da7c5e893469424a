import { Parser } from 'htmlparser2';

const OMITTED_QUOTE = '[…]';
const HIDDEN_SPOILER = '(…)';

/** Elements that begin and end a line. */
const blocks = new Set(
  'p div blockquote pre ul ol li h1 h2 h3 h4 h5 h6 table tr hr section'.split(' '),
);

/**
 * The text of rendered content, for notifications. Emoji become their characters, images their
 * alternative text, formulas their source; of a spoiler only the header stays. Quotes are shown if the
 * message has nothing else, and are otherwise `[…]`.
 */
export function plainText(html: string): string {
  const withoutQuotes = textOf(html, { showsQuotes: false });
  const own = withoutQuotes.replaceAll(OMITTED_QUOTE, '').trim();
  return own === '' && withoutQuotes !== '' ? textOf(html, { showsQuotes: true }) : withoutQuotes;
}

interface TextOptions {
  readonly showsQuotes: boolean;
}

interface OpenElement {
  readonly name: string;
  /** Its text is left out, with that of all elements in it. */
  readonly isHidden: boolean;
  readonly isVerbatim: boolean;
  /** The number of the next item of a list, 0 for bullets. */
  next?: number;
}

function textOf(html: string, { showsQuotes }: TextOptions): string {
  let text = '';
  const open: OpenElement[] = [];
  const last = () => open.at(-1);
  const breakLine = () => {
    if (text === '' || text.endsWith('\n')) return;
    text = `${text.trimEnd()}\n`;
  };
  const add = (content: string) => {
    const plain = last()?.isVerbatim ? content : content.replace(/\s+/g, ' ');
    const startsWord = text === '' || text.endsWith(' ') || text.endsWith('\n');
    text += startsWord && !last()?.isVerbatim ? plain.trimStart() : plain;
  };
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const parent = last();
        const classes = (attributes['class'] ?? '').split(' ');
        const isVisible = !parent?.isHidden;
        const replacement = isVisible ? replacementOf({ name, attributes, classes }) : undefined;
        if (isVisible && blocks.has(name)) breakLine();
        if (replacement !== undefined) add(replacement);
        if (isVisible && name === 'br') breakLine();
        if (isVisible && name === 'blockquote' && !showsQuotes) text += OMITTED_QUOTE;
        if (isVisible && name === 'li') text += bullet(parent);
        const isCell = name === 'td' || name === 'th';
        if (isVisible && isCell && text !== '' && !text.endsWith('\n'))
          text = `${text.trimEnd()} | `;
        const isSource = name === 'annotation';
        open.push({
          name,
          isHidden:
            !isSource &&
            (!isVisible ||
              replacement !== undefined ||
              (name === 'blockquote' && !showsQuotes) ||
              classes.includes('message_inline_image') ||
              classes.includes('katex')),
          isVerbatim: name === 'pre' || (parent?.isVerbatim ?? false),
          ...(name === 'ol' ? { next: Number(attributes['start'] ?? 1) } : {}),
          ...(name === 'ul' ? { next: 0 } : {}),
        });
      },
      ontext(content) {
        if (!last()?.isHidden) add(content);
      },
      onclosetag(name) {
        const element = open.pop();
        if (element?.isHidden && !last()?.isHidden && name === 'blockquote') breakLine();
        if (!element?.isHidden && blocks.has(name)) breakLine();
      },
    },
    { decodeEntities: true },
  );
  parser.end(html);
  return text.replace(/\n{3,}/g, '\n\n').trim();
}

function bullet(list: OpenElement | undefined): string {
  if (!list?.next) return '- ';
  const number = list.next;
  list.next += 1;
  return `${number}. `;
}

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly classes: readonly string[];
}

/** The text that replaces an element and everything in it; undefined for most elements. */
function replacementOf({ name, attributes, classes }: Element): string | undefined {
  if (name === 'img') return attributes['alt'] ?? '';
  if (classes.includes('spoiler-content')) return ` ${HIDDEN_SPOILER}`;
  const code = classes.map((one) => /^emoji-([0-9a-f-]+)$/.exec(one)?.[1]).find(Boolean);
  return code === undefined ? undefined : charactersOf(code);
}

/** The characters of an emoji, from the hexadecimal code points of its code. */
const charactersOf = (code: string): string =>
  String.fromCodePoint(...code.split('-').map((point) => Number.parseInt(point, 16)));
