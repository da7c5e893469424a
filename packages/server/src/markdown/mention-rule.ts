import {
  escapeHtml,
  groupMention,
  mayStartAt,
  nameAndId,
  userMention,
  type Wildcard,
  wildcardOf,
} from '@bellhop/protocol';
import type { RendererRule, StateInline } from 'markdown-it';

import { renderState, type RenderState } from './render-state.ts';

/** A resolved mention, in the `meta` of its token. */
export type Mention = { silent: boolean; text: string } & (
  | { kind: 'user'; id: number }
  | { kind: 'group'; id: number }
  | { kind: 'wildcard'; wildcard: Wildcard }
);

function resolveUser(inside: string, { directory, wildcards, quoted }: RenderState) {
  const wildcard = wildcardOf(inside);
  if (wildcard && !wildcards.includes(wildcard)) return undefined;
  if (wildcard) return { kind: 'wildcard', wildcard, text: inside, silent: quoted } as const;
  const { name, id } = nameAndId(inside);
  const user = directory.user(name, id);
  if (!user) return undefined;
  const silent = quoted || user.is_active === false;
  return { kind: 'user', id: user.id, text: user.full_name, silent } as const;
}

function resolveGroup(name: string, { directory, quoted }: RenderState) {
  const group = directory.group(name);
  if (!group) return undefined;
  const silent = quoted || group.deactivated === true;
  return { kind: 'group', id: group.id, text: group.name, silent } as const;
}

function matchAt(pattern: RegExp, text: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position;
  return pattern.exec(text);
}

function mentionAt(state: StateInline): { mention: Mention; length: number } | undefined {
  const asUser = matchAt(userMention, state.src, state.pos);
  const match = asUser ?? matchAt(groupMention, state.src, state.pos);
  if (!match || state.pos + match[0].length > state.posMax) return undefined;
  const resolve = asUser ? resolveUser : resolveGroup;
  const found = resolve(match[2] ?? '', renderState(state.env));
  if (!found) return undefined;
  return {
    mention: { ...found, silent: found.silent || match[1] === '_' },
    length: match[0].length,
  };
}

/** The inline rule for mentions of users, groups, everybody in a channel and in a topic. */
export function mentionRule(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x40 /* @ */) return false;
  if (!mayStartAt(state.src, state.pos)) return false;
  const found = mentionAt(state);
  if (!found) return false;
  if (!silent) state.push('mention', 'span', 0).meta = { mention: found.mention };
  state.pos += found.length;
  return true;
}

export function mentionOf(meta: Record<string, unknown> | null): Mention {
  return meta?.['mention'] as Mention;
}

function attributes(mention: Mention): string {
  const silent = mention.silent ? ' silent' : '';
  switch (mention.kind) {
    case 'user':
      return `class="user-mention${silent}" data-user-id="${mention.id}"`;
    case 'group':
      return `class="user-group-mention${silent}" data-user-group-id="${mention.id}"`;
    case 'wildcard':
      return mention.wildcard === 'topic'
        ? `class="topic-mention${silent}"`
        : `class="user-mention channel-wildcard-mention${silent}" data-user-id="*"`;
  }
}

export const renderMention: RendererRule = (tokens, index) => {
  const mention = mentionOf(tokens[index]?.meta ?? null);
  const text = escapeHtml(mention.silent ? mention.text : `@${mention.text}`);
  return `<span ${attributes(mention)}>${text}</span>`;
};
