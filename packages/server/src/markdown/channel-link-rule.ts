import {
  channelLink,
  channelTarget,
  type ChannelTarget,
  escapeHtml,
  mayStartAt,
  narrowUrl,
} from '@bellhop/protocol';
import type { RendererRule, StateInline } from 'markdown-it';

import type { LinkableChannel } from './directory.ts';
import { renderState } from './render-state.ts';

/** The inline rule for links to channels, topics and messages by name. */
export function channelLinkRule(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x23 /* # */ || state.linkLevel > 0) return false;
  if (!mayStartAt(state.src, state.pos)) return false;
  channelLink.lastIndex = state.pos;
  const match = channelLink.exec(state.src);
  if (!match || state.pos + match[0].length > state.posMax) return false;
  const target = channelTarget(match[1] ?? '');
  const channel = renderState(state.env).directory.channel(target.channel);
  if (!channel) return false;
  if (!silent) state.push('channel_link', 'a', 0).content = linkHtml(channel, target);
  state.pos += match[0].length;
  return true;
}

function linkHtml(channel: LinkableChannel, { topic, message_id }: ChannelTarget): string {
  const href = escapeHtml(narrowUrl(channel, topic, message_id));
  const name = escapeHtml(`#${channel.name}`);
  if (topic === undefined) {
    return `<a class="stream" data-stream-id="${channel.id}" href="${href}">${name}</a>`;
  }
  const topicHtml = topic === '' ? '<em>general chat</em>' : escapeHtml(topic);
  if (message_id !== undefined) {
    return `<a class="message-link" href="${href}">${name} &gt; ${topicHtml} @ 💬</a>`;
  }
  return `<a class="stream-topic" data-stream-id="${channel.id}" href="${href}">${name} &gt; ${topicHtml}</a>`;
}

export const renderChannelLink: RendererRule = (tokens, index) => tokens[index]?.content ?? '';
