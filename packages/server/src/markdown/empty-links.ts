import type { StateCore } from 'markdown-it';

/** The core rule that gives a link without text its address as text: `[](https://x.org)`. */
export function emptyLinks(state: StateCore): void {
  for (const { children } of state.tokens) {
    if (!children) continue;
    for (let at = children.length - 2; at >= 0; at -= 1) {
      const open = children[at];
      if (open?.type !== 'link_open' || children[at + 1]?.type !== 'link_close') continue;
      const text = new state.Token('text', '', 0);
      text.content = String(open.attrGet('href') ?? '');
      children.splice(at + 1, 0, text);
    }
  }
}
