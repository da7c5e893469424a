import { escapeHtml } from '@bellhop/protocol';
import type { RendererRule } from 'markdown-it';

import { codeLanguage } from './code-language.ts';
import { renderMath } from './render-math.ts';
import { renderState, type RenderState } from './render-state.ts';

/** A code block without a fence: it has no language. */
export const renderIndentedCode: RendererRule = (tokens, index) =>
  codeBlock(tokens[index]?.content ?? '', undefined);

/**
 * A block of code or math in a fence. Clients highlight code by `data-code-language`; without a
 * language it has the realm's default one.
 */
export const renderFence: RendererRule = (tokens, index, _options, env) => {
  const { content, info } = tokens[index] ?? { content: '', info: '' };
  const name = languageIn(info);
  const state = env && renderState(env);
  if (state && name?.toLowerCase() === 'math')
    return mathBlock(content, state) ?? codeBlock(content, undefined);
  return codeBlock(content, name ?? languageIn(state?.defaultLanguage ?? ''));
};

const languageIn = (info: string): string | undefined =>
  /^[\w+.#/-]{1,50}/.exec(info.replace(/^\{?\.?/, ''))?.[0];

function codeBlock(content: string, name: string | undefined): string {
  const language =
    name === undefined ? '' : ` data-code-language="${escapeHtml(codeLanguage(name))}"`;
  const code = escapeHtml(content.endsWith('\n') || content === '' ? content : `${content}\n`);
  return `<div class="codehilite"${language}><pre><span></span><code>${code}</code></pre></div>\n`;
}

/** One formula for each paragraph. Undefined if one of them cannot be typeset. */
function mathBlock(content: string, state: RenderState): string | undefined {
  const formulas = content.split(/\n\s*\n/).filter((tex) => tex.trim() !== '');
  const typeset = formulas.map((tex) => renderMath(tex, state, { display: true }));
  return formulas.length > 0 && typeset.every((html) => html !== undefined)
    ? `<p>${typeset.join('')}</p>\n`
    : undefined;
}
