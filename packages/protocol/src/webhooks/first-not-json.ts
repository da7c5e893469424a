/** The parts of JSON by RFC 8259; a string without its last sign. */
const SPACE = /[ \t\n\r]*/y;
const STRING = /"(?:[ !#-[\]-\u{10ffff}]+|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/uy;
const WORD = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/**
 * The position of the first character of a text that does not go on as JSON; its length if it breaks off.
 * A byte order mark may come first.
 */
export function firstNotJson(text: string): number {
  /** The closing brackets that are still to come, the next one last. */
  const open: ('}' | ']')[] = [];
  let at = text.startsWith('\ufeff') ? 1 : 0;
  let next: 'value' | 'name' | 'colon' | 'more' = 'value';
  let mayClose = false;
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const [found = ''] = pattern.exec(text) ?? [];
    at += found.length;
    return found !== '';
  };
  for (;;) {
    take(SPACE);
    const sign = text[at];
    if (open.length === 0 && next === 'more') return at;
    if (mayClose && sign === open.at(-1)) {
      open.pop();
      at += 1;
      next = 'more';
    } else if (next === 'more' && sign === ',') {
      at += 1;
      next = open.at(-1) === '}' ? 'name' : 'value';
      mayClose = false;
    } else if (next === 'colon' && sign === ':') {
      at += 1;
      next = 'value';
      mayClose = false;
    } else if ((next === 'name' || next === 'value') && sign === '"') {
      take(STRING);
      if (text[at] !== '"') return at;
      at += 1;
      mayClose = next === 'value';
      next = next === 'name' ? 'colon' : 'more';
    } else if (next === 'value' && (sign === '[' || sign === '{')) {
      open.push(sign === '[' ? ']' : '}');
      at += 1;
      next = sign === '{' ? 'name' : 'value';
      mayClose = true;
    } else if (next === 'value' && take(WORD)) {
      next = 'more';
      mayClose = true;
    } else return at;
  }
}
