import { createRequire } from 'node:module';

import { escapeHtml } from '@bellhop/protocol';

import type { RenderState } from './render-state.ts';

const require = createRequire(import.meta.url);

/** TeX beyond these totals in one message stays as written: its HTML is many times as long. */
const MAX_MATH_LENGTH = 2000;
const MAX_FORMULAS = 100;
/** Commands that define others: a few of them expand to very long formulas. */
const DEFINITION =
  /\\(?:[egx]?def|let|futurelet|global|long|(?:re)?newcommand|providecommand)(?![a-zA-Z])/;

/**
 * TeX typeset as MathML, which holds the TeX as an annotation. Undefined if the TeX is invalid, or if
 * the message has too much of it.
 */
export function renderMath(
  tex: string,
  state: RenderState,
  { display }: { readonly display: boolean },
): string | undefined {
  state.formulas += 1;
  state.mathLength += tex.length;
  if (state.formulas > MAX_FORMULAS || state.mathLength > MAX_MATH_LENGTH) return undefined;
  if (DEFINITION.test(tex)) return undefined;
  // Few messages have math, and the package is large.
  const katex = require('katex') as typeof import('katex').default;
  try {
    const html = katex.renderToString(tex, {
      displayMode: display,
      output: 'mathml',
      throwOnError: true,
      strict: false,
      trust: false,
      maxExpand: 100,
      maxSize: 20,
    });
    return display ? `<span class="katex-display">${html}</span>` : html;
  } catch {
    return undefined;
  }
}

/** TeX that is not typeset, in the words of its author. */
export const mathError = (source: string): string =>
  `<span class="tex-error">${escapeHtml(source)}</span>`;
