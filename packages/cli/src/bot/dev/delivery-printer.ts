import { styleText } from 'node:util';

import type { Hooks } from '@bellhop/bot/hooks';

import { terminalLine, terminalText } from '../../command-line/terminal-text.ts';
import { printFailure } from '../print-chat.ts';
import { readableStack } from '../readable-stack.ts';
import type { Payload } from './dev-wire.ts';
import type { RestWatcher } from './watched-rest.ts';

const INDENT = ' '.repeat(9);
type Destination = Parameters<RestWatcher['posted']>[0]['place'];

/** Prints messages to a bot and the actions of the bot, at once. */
export function deliveryPrinter() {
  /** The newest message to the bot: replies elsewhere show their place. */
  let last: Payload | undefined;
  const ends = new Map<number, string>();
  const aside = (text: string) => console.log(`${INDENT}${styleText('dim', text)}`);
  const mark = (id: number) => (id === last?.message.id ? '' : ` on message ${id}`);

  const watcher: RestWatcher = {
    posted({ place, content, widget }) {
      const where = last && isIn(place, last) ? '' : styleText('dim', ` [${nameOf(place)}]`);
      console.log(`${INDENT}${styleText('green', '->')}${where} ${shown(content, 12)}`);
      if (widget !== undefined) aside(`   with a widget: ${JSON.stringify(widget)}`);
    },
    edited: (id, content) => aside(`edited message ${id}: ${shown(content, 9)}`),
    removed: (id) => aside(`deleted message ${id}`),
    reacted: (id, emoji) => aside(`reacted :${emoji}:${mark(id)}`),
    unreacted: (id, emoji) => aside(`took back :${emoji}:${mark(id)}`),
    uploaded: ({ url }) => aside(`uploaded ${url}`),
  };
  const hooks: Hooks = {
    onError: (failure) => printFailure(failure, (line) => console.log(inset(INDENT + line, 11))),
    onWarning: ({ message }) => console.log(`${INDENT}${styleText('yellow', message)}`),
    onDelivery(report) {
      if (report.outcome === 'refused' || report.outcome === 'ignored') return;
      if ('durationMs' in report)
        ends.set(report.messageId, `${report.outcome} in ${report.durationMs} ms`);
      else aside(report.outcome);
    },
  };
  return {
    watcher,
    hooks,
    heard(payload: Payload, again: boolean): void {
      last = payload;
      const { sender_full_name: name, content } = payload.message;
      const time = new Date().toTimeString().slice(0, 8);
      const what = again ? styleText('yellow', ' (again)') : '';
      console.log(
        `\n${styleText('dim', time)} ${styleText('cyan', terminalLine(name))}, ${terminalLine(placeIn(payload))}${what}`,
      );
      console.log(`${INDENT}${shown(content, 9)}`);
    },
    dealtWith({ message }: Payload): void {
      const end = ends.get(message.id);
      ends.delete(message.id);
      if (end !== undefined) aside(end);
    },
    /** Prints that the server has rejected a reply. */
    unsaid: (error: unknown) =>
      console.log(
        `${INDENT}${styleText('red', `The reply was not sent. ${inset(readableStack(error), 9)}`)}`,
      ),
  };
}

const inset = (text: string, by: number) => text.replaceAll('\n', `\n${' '.repeat(by)}`);
const shown = (text: string, by: number) => inset(terminalText(text), by);

function placeIn({ message }: Payload): string {
  if (typeof message.display_recipient === 'string')
    return `#${message.display_recipient} > ${message.subject || 'general chat'}`;
  const others = message.display_recipient.length - 2;
  return others > 0 ? `direct message with ${others} more` : 'direct message';
}

function isIn(place: Destination, { message }: Payload): boolean {
  const { display_recipient: people } = message;
  if ('userIds' in place)
    return (
      typeof people !== 'string' && place.userIds.every((id) => people.some((one) => one.id === id))
    );
  return (
    'channelId' in place &&
    'stream_id' in message &&
    place.channelId === message.stream_id &&
    place.topic === message.subject
  );
}

function nameOf(place: Destination): string {
  if ('emails' in place) return `to ${place.emails.join(', ')}`;
  if ('userIds' in place) return `to user ${place.userIds.join(', ')}`;
  const channel = 'channel' in place ? place.channel : place.channelId;
  return `channel ${channel} > ${place.topic}`;
}
