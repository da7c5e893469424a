export interface Element {
  tag: string;
  classes: readonly string[];
  alt: string;
  children: Node[];
}

export type Node = Element | string;

const piece = /<(\/?)([a-z][a-z0-9]*)([^>]*)>|([^<]+)|</g;
const voidTags = new Set(['br', 'hr', 'img']);
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0' };

function decode(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|([a-z]+));/g, (whole, code?: string, name?: string) => {
    if (name !== undefined) return entities[name] ?? whole;
    return Number(code) <= 0x10ffff ? String.fromCodePoint(Number(code)) : whole;
  });
}

function attribute(attributes: string, name: string): string {
  return decode(new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1] ?? '');
}

function newElement(tag: string, attributes: string): Element {
  const classes = attribute(attributes, 'class').split(' ');
  return { tag, classes, alt: attribute(attributes, 'alt'), children: [] };
}

/** Reads HTML as `renderMarkdown` writes it (well formed, sanitised); not for any other HTML. */
export function htmlTree(html: string): Node[] {
  const root = newElement('', '');
  const open = [root];
  for (const [whole, end, tag, attributes = '', text] of html.matchAll(piece)) {
    const parent = open.at(-1) ?? root;
    if (tag === undefined) parent.children.push(decode(text ?? whole));
    else if (end === '/') {
      if (open.length > 1) open.pop();
    } else {
      const element = newElement(tag, attributes);
      parent.children.push(element);
      if (!voidTags.has(tag)) open.push(element);
    }
  }
  return root.children;
}
