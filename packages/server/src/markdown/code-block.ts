import type { RendererRule } from 'markdown-it';

import { codeLanguage } from './code-language.ts';
import { escapeHtml } from './escape-html.ts';

/** A code block; clients highlight it by `data-code-language`. */
export const renderCodeBlock: RendererRule = (tokens, index) => {
  const { content, info } = tokens[index] ?? { content: '', info: '' };
  const name = /^[\w+.#/-]{1,50}/.exec(info.replace(/^\{?\.?/, ''))?.[0];
  const language = name && ` data-code-language="${escapeHtml(codeLanguage(name))}"`;
  const code = escapeHtml(content.endsWith('\n') || content === '' ? content : `${content}\n`);
  return `<div class="codehilite"${language ?? ''}><pre><span></span><code>${code}</code></pre></div>\n`;
};
