import type { RendererRule, StateInline } from 'markdown-it';

import { mathError, renderMath } from './render-math.ts';
import { renderState } from './render-state.ts';

const math = /\$\$[^\n$]{1,2000}\$\$(?![$\w])/y;

/** The inline rule for `$$x_1 * y$$`. */
export function mathRule(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x24 /* $ */) return false;
  if (/[$\w]/.test(state.src.charAt(state.pos - 1))) return false;
  math.lastIndex = state.pos;
  const match = math.exec(state.src);
  if (!match || state.pos + match[0].length > state.posMax) return false;
  if (!silent) state.push('math', '', 0).content = match[0];
  state.pos += match[0].length;
  return true;
}

export const renderInlineMath: RendererRule = (tokens, index, _options, env) => {
  const source = tokens[index]?.content ?? '';
  const tex = source.slice(2, -2);
  return (env && renderMath(tex, renderState(env), { display: false })) ?? mathError(source);
};
