import { escapeHtml, foldCase, nameAndId, unescapeHtml, wildcardOf } from '@bellhop/protocol';

import type { Account } from './account.ts';

export interface Rendered {
  readonly html: string;
  /** Mentioned by name, except silently, in code and in quotations. */
  readonly mentioned: ReadonlySet<Account>;
  readonly wildcard: boolean;
}

/** The opening or closing line of a code block. */
const fence = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const codeSpan = /(`+)[^`][^]*?\1(?!`)/g;
const mention = /(?<=^|[\s'({[/]|&lt;|&quot;)@(_?)\*\*([^*\n]{1,200})\*\*/g;

/**
 * Renders the part of Markdown that bots need: paragraphs, code, quotations and mentions. A mention
 * in code is plain text, and a mention in a quotation is silent.
 */
export function renderContent(content: string, accounts: readonly Account[]): Rendered {
  const mentioned = new Set<Account>();
  let wildcard = false;
  const renderInline = (text: string, quoted: boolean) =>
    escapeHtml(text).replace(mention, (whole, silent: string, target: string) => {
      const name = unescapeHtml(target);
      const everybody = wildcardOf(name);
      if (everybody === 'topic') return `<span class="topic-mention">@${target}</span>`;
      if (everybody === 'channel') {
        wildcard ||= silent === '' && !quoted;
        return `<span class="user-mention channel-wildcard-mention" data-user-id="*">@${target}</span>`;
      }
      const account = accountOf(name, accounts);
      if (!account) return whole;
      const isSilent = silent !== '' || quoted;
      if (!isSilent) mentioned.add(account);
      const shown = escapeHtml(account.full_name);
      return `<span class="user-mention${isSilent ? ' silent' : ''}" data-user-id="${account.user_id}">${isSilent ? '' : '@'}${shown}</span>`;
    });
  const html = blocks(content)
    .map(({ kind, text }) => {
      if (kind === 'code') return `<pre><code>${escapeHtml(text)}\n</code></pre>`;
      const body = `<p>${withCode(text, (part) => renderInline(part, kind === 'quote'))}</p>`;
      return kind === 'quote' ? `<blockquote>\n${body}\n</blockquote>` : body;
    })
    .join('\n');
  return { html, mentioned, wildcard };
}

interface Block {
  readonly kind: 'text' | 'code' | 'quote';
  text: string;
}

function blocks(content: string): Block[] {
  const found: Block[] = [];
  let closing: string | undefined;
  let last: Block | undefined;
  const add = (kind: Block['kind'], text: string) => {
    if (last?.kind === kind) last.text += `\n${text}`;
    else found.push((last = { kind, text }));
  };
  for (const line of content.split('\n')) {
    const opened = fence.exec(line)?.[1];
    if (closing !== undefined) {
      if (opened?.startsWith(closing) && line.trim() === opened) closing = last = undefined;
      else add('code', line);
    } else if (opened !== undefined) {
      closing = opened;
      found.push((last = { kind: 'code', text: '' }));
    } else if (line.trim() === '') last = undefined;
    else if (line.startsWith('>')) add('quote', line.replace(/^>+ ?/, ''));
    else add('text', line);
  }
  return found;
}

function withCode(text: string, inline: (text: string) => string): string {
  let html = '';
  let at = 0;
  for (const span of text.matchAll(codeSpan)) {
    html += inline(text.slice(at, span.index));
    const ticks = span[1]?.length ?? 0;
    html += `<code>${escapeHtml(span[0].slice(ticks, -ticks).trim())}</code>`;
    at = span.index + span[0].length;
  }
  return (html + inline(text.slice(at))).replaceAll('\n', '<br>\n');
}

/**
 * The account of a mention: `Name` in any letter case, `Name|12` or `|12`. Several accounts of a name
 * are told apart by its letter case, or not at all.
 */
function accountOf(target: string, accounts: readonly Account[]): Account | undefined {
  const { name, id } = nameAndId(target);
  if (id !== undefined)
    return accounts.find((one) => one.user_id === id && (name === '' || one.full_name === name));
  const alike = accounts.filter(({ full_name }) => foldCase(full_name) === foldCase(name));
  const exact = alike.filter(({ full_name }) => full_name === name);
  const [found, namesake] = exact.length > 0 ? exact : alike;
  return namesake === undefined ? found : undefined;
}
