import { renderGfmTable } from '@chat-adapter/shared';
import { type CardChild, cardChildToFallbackText, type CardElement } from 'chat';

/** The content of a card in Markdown, without its buttons. Links of buttons are links. */
export function cardText(card: CardElement): string {
  const parts = [
    card.title && `**${card.title}**`,
    card.subtitle,
    card.imageUrl && `[${card.title ?? 'Image'}](${card.imageUrl})`,
    ...card.children.map(childText),
  ];
  return parts.filter(Boolean).join('\n\n');
}

function childText(child: CardChild): string {
  switch (child.type) {
    case 'text':
      if (child.style === 'bold') return `**${child.content}**`;
      return child.style === 'muted' ? `*${child.content}*` : child.content;
    case 'fields':
      return child.children.map(({ label, value }) => `**${label}:** ${value}`).join('\n');
    case 'link':
      return `[${child.label}](${child.url})`;
    case 'image':
      return `[${child.alt || 'Image'}](${child.url})`;
    case 'divider':
      return '---';
    case 'table':
      return renderGfmTable(child).join('\n');
    case 'section':
      return child.children.map(childText).filter(Boolean).join('\n\n');
    case 'actions': {
      const links = child.children.filter((one) => one.type === 'link-button');
      return links.map(({ label, url }) => `[${label}](${url})`).join(' · ');
    }
    default:
      return cardChildToFallbackText(child) ?? '';
  }
}
