import { escapeHtml, inCalendar, parseIsoTime } from '@bellhop/protocol';
import type { RendererRule, StateInline } from 'markdown-it';

const timeTag = /<time:([^>\n]{0,100})>/y;

/** Parses ISO 8601 (UTC without a zone) or UNIX seconds; returns `...Z`, or undefined. */
function utcTime(text: string): string | undefined {
  const trimmed = text.trim();
  const isCount = /^-?\d{1,11}(?:\.\d{1,6})?$/.test(trimmed);
  const time = isCount ? inCalendar(Number(trimmed) * 1000) : parseIsoTime(trimmed);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** The inline rule for `<time:2026-11-21T10:00:00+01:00>`, which clients show in the reader's time zone. */
export function timeRule(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x3c /* < */) return false;
  timeTag.lastIndex = state.pos;
  const match = timeTag.exec(state.src);
  if (!match || state.pos + match[0].length > state.posMax) return false;
  if (!silent) state.push('time', 'time', 0).content = match[1] ?? '';
  state.pos += match[0].length;
  return true;
}

export const renderTime: RendererRule = (tokens, index) => {
  const text = tokens[index]?.content ?? '';
  const time = utcTime(text);
  return time
    ? `<time datetime="${time}">${escapeHtml(text)}</time>`
    : `<span class="timestamp-error">Invalid time format: ${escapeHtml(text)}</span>`;
};
