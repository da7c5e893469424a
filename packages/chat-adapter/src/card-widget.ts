import { plainText } from '@bellhop/bot/internals';
import type { CardElement } from 'chat';

import type { CardButton } from './card-buttons.ts';

/** What clients with buttons show beside them: one line without Markdown. */
const MAX_HEADING = 300;

/**
 * Whether the content of a card goes into a message of its own before the buttons. Clients show a widget
 * in the place of the text, and its heading has no links, tables or images.
 */
export const needsOwnMessage = (content: string): boolean =>
  content.length > MAX_HEADING || /[`[|]/.test(content);

/** The content and the widget of a message with buttons. `mention` is put before the words of each. */
export function buttonsMessage(
  { title }: CardElement,
  buttons: readonly CardButton[],
  { content, mention }: { readonly content: string; readonly mention: string },
): { readonly content: string; readonly widget: object } {
  const shown = content.trim() || title || 'Choose:';
  const words = buttons.map(({ reply }) => `**${reply}**`).join(', ');
  const how = `${mention === '' ? 'To answer, write' : 'To answer, mention me and write'} ${words}.`;
  const choices = buttons.map(({ label, reply }, at) => ({
    type: 'multiple_choice',
    short_name: String(at + 1),
    long_name: label,
    reply: mention + reply,
  }));
  const extra_data = { type: 'choices', heading: plainText(shown), choices };
  return { content: `${shown}\n\n${how}`, widget: { widget_type: 'zform', extra_data } };
}
