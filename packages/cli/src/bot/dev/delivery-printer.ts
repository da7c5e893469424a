import { styleText } from 'node:util';

import type { Destination, RestAction } from '@bellhop/bot';
import type { Hooks } from '@bellhop/bot/hooks';

import { terminalLine, terminalText } from '../../command-line/terminal-text.ts';
import { printFailure } from '../print-chat.ts';
import { readableStack } from '../readable-stack.ts';
import type { Payload } from './dev-wire.ts';

const INDENT = ' '.repeat(9);

/** Prints messages to a bot and the actions of the bot, at once. */
export function deliveryPrinter() {
  /** The newest message to the bot: replies elsewhere show their place. */
  let last: Payload | undefined;
  const ends = new Map<number, string>();
  const aside = (text: string) => console.log(`${INDENT}${styleText('dim', text)}`);
  const mark = (id: number) => (id === last?.message.id ? '' : ` on message ${id}`);

  function onAction(done: RestAction): void {
    switch (done.action) {
      case 'posted': {
        const { to, content, widget } = done;
        const where = last && isIn(to, last) ? '' : styleText('dim', ` [${nameOf(to)}]`);
        console.log(`${INDENT}${styleText('green', '->')}${where} ${shown(content, 12)}`);
        if (widget !== undefined) aside(`   with a widget: ${JSON.stringify(widget)}`);
        break;
      }
      case 'edited':
        aside(`edited message ${done.messageId}: ${shown(done.content, 9)}`);
        break;
      case 'deleted':
        aside(`deleted message ${done.messageId}`);
        break;
      case 'reacted':
        aside(`reacted :${done.emoji}:${mark(done.messageId)}`);
        break;
      case 'unreacted':
        aside(`took back :${done.emoji}:${mark(done.messageId)}`);
        break;
      case 'uploaded':
        aside(`uploaded ${done.url}`);
        break;
      case 'moved':
        aside(`moved the topic to ${nameOf(done.to)}`);
    }
  }
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
    onAction,
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
