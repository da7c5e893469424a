/** `@**Name**`, `@**Name|12**`, `@_**Name**`: group 1 is the silent mark, group 2 the text. */
export const userMention = /@(_?)\*\*([^*\n]{1,200})\*\*/y;

/** `@*group*`, `@_*group*`. */
export const groupMention = /@(_?)\*([^*\n]{1,200})\*/y;

/** `#**channel**`, `#**channel>topic**`, `#**channel>topic@17**`. */
export const channelLink = /#\*\*([^*\n]{1,200})\*\*/y;

export type Wildcard = 'channel' | 'topic';

export function wildcardOf(name: string): Wildcard | undefined {
  switch (name) {
    case 'topic':
      return 'topic';
    case 'all':
    case 'everyone':
    case 'channel':
    case 'stream':
      return 'channel';
    default:
      return undefined;
  }
}

const largestId = 2 ** 31 - 1;

/** Splits `Name|12`; the name may be empty. Without an id the whole text is the name. */
export function nameAndId(text: string): { name: string; id?: number } {
  if (!text.includes('|')) return { name: text };
  const match = /^(.*)\|(\d{1,10})$/.exec(text);
  const id = Number(match?.[2]);
  return match && id <= largestId ? { name: match[1] ?? '', id } : { name: text };
}

export interface ChannelTarget {
  channel: string;
  topic?: string;
  message_id?: number;
}

/** Splits `channel>topic@17`. */
export function channelTarget(text: string): ChannelTarget {
  const at = text.indexOf('>');
  if (at < 0) return { channel: text };
  const channel = text.slice(0, at);
  const topic = text.slice(at + 1);
  const near = /^(.+)@(\d{1,15})$/.exec(topic);
  if (near?.[1] !== undefined) return { channel, topic: near[1], message_id: Number(near[2]) };
  return { channel, topic };
}

/** Mentions and channel links begin only after white space, a quotation mark or an opening bracket. */
export function mayStartAt(text: string, position: number): boolean {
  return position === 0 || /[\s'"({[/<]/.test(text.charAt(position - 1));
}
