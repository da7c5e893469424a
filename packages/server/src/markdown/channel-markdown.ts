import { channelLink, channelTarget, narrowUrl } from '@bellhop/protocol';

import { codeSpan } from './code-span.ts';
import type { LinkableChannel } from './directory.ts';

/**
 * The Markdown of a link to a channel, for notices of the server. A name that would end the link or
 * mean something else inside it is inline code, without a link.
 */
export const channelMarkdown = ({ name }: LinkableChannel): string =>
  isReadBack(name, { channel: name }) ? `#**${name}**` : codeSpan(`#${name}`);

/** The Markdown of a link to a topic; a name that cannot be in it is left out. */
export function topicMarkdown(channel: LinkableChannel, topic: string): string {
  const text = `${channel.name}>${topic}`;
  return isReadBack(text, { channel: channel.name, topic })
    ? `#**${text}**`
    : `[another topic](${narrowUrl(channel, topic)})`;
}

/** Whether the parser reads a link with this text as exactly this target. */
function isReadBack(text: string, target: { channel: string; topic?: string }): boolean {
  const whole = new RegExp(`^${channelLink.source}$`).test(`#**${text}**`);
  const { channel, topic, message_id } = channelTarget(text);
  return whole && channel === target.channel && topic === target.topic && message_id === undefined;
}
