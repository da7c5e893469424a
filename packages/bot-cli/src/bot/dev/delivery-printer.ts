import { styleText } from 'node:util';

import type { Destination, RestAction } from '@bellhop/bot';
import type { Hooks } from '@bellhop/bot/hooks';
import type { Delivery } from '@bellhop/bot/internals';

import { terminalLine, terminalText } from '../../command-line/terminal-text.ts';
import { printFailure, widgetNote } from '../print-chat.ts';

const INDENT = ' '.repeat(9);

/** Prints messages to a bot and the actions of the bot, at once. */
export function deliveryPrinter() {
  /** The newest message to the bot: replies elsewhere show their place. */
  let last: Delivery | undefined;
  const line = (text: string) => console.log(INDENT + text);
  const aside = (text: string) => line(styleText('dim', text));
  const on = (id: number) => (id === last?.message.id ? '' : ` on message ${id}`);

  const print: {
    [A in RestAction['action']]: (done: RestAction & { readonly action: A }) => void;
  } = {
    posted({ to, content, widget }) {
      const where = last && isIn(to, last) ? '' : styleText('dim', ` [${nameOf(to)}]`);
      line(`${styleText('green', '->')}${where} ${shown(content, 12)}`);
      if (widget !== undefined) aside(`   with ${widgetNote(widget)}`);
    },
    edited: ({ messageId, content }) => aside(`edited message ${messageId}: ${shown(content, 9)}`),
    deleted: ({ messageId }) => aside(`deleted message ${messageId}`),
    reacted: ({ messageId, emoji }) => aside(`reacted :${emoji}:${on(messageId)}`),
    unreacted: ({ messageId, emoji }) => aside(`took back :${emoji}:${on(messageId)}`),
    uploaded: ({ url }) => aside(`uploaded ${url}`),
    moved: ({ to }) => aside(`moved the topic to ${nameOf(to)}`),
  };
  const hooks: Hooks = {
    onError: (failure) => printFailure(failure, (text) => line(inset(text, 11))),
    onWarning: ({ message }) => line(styleText('yellow', message)),
    onDelivery: (report) =>
      aside(
        'durationMs' in report ? `${report.outcome} in ${report.durationMs} ms` : report.outcome,
      ),
  };
  const onAction = (done: RestAction) => (print[done.action] as (done: RestAction) => void)(done);
  return {
    hooks,
    onAction,
    /** For an action of a task or a schedule, which belongs to no message. */
    onWork: (done: RestAction): void => {
      last = undefined;
      console.log(`\n${timeNow()} ${styleText('cyan', 'a task or a schedule')}`);
      onAction(done);
    },
    heard: (delivery: Delivery, again: boolean): void => {
      last = delivery;
      const { sender, content } = delivery.message;
      const name = styleText('cyan', terminalLine(sender.fullName));
      const repeat = again ? styleText('yellow', ' (again)') : '';
      console.log(`\n${timeNow()} ${name}, ${terminalLine(placeOf(delivery))}${repeat}`);
      line(shown(content, 9));
    },
  };
}

const timeNow = () => styleText('dim', new Date().toTimeString().slice(0, 8));

const inset = (text: string, by: number) => text.replaceAll('\n', `\n${' '.repeat(by)}`);
const shown = (text: string, by: number) => inset(terminalText(text), by);

function placeOf({ message }: Delivery): string {
  if ('channel' in message) return `#${message.channel.name} > ${message.topic || 'general chat'}`;
  const others = message.recipients.length - 2;
  return others > 0 ? `direct message with ${others} more` : 'direct message';
}

function isIn(to: Destination, { message }: Delivery): boolean {
  if ('channel' in message)
    return 'channelId' in to && to.channelId === message.channel.id && to.topic === message.topic;
  const people = message.recipients.map(({ id }): number => id);
  return 'userIds' in to && to.userIds.every((id) => people.includes(id));
}

function nameOf(to: Destination): string {
  if ('emails' in to) return `to ${to.emails.join(', ')}`;
  if ('userIds' in to) return `to user ${to.userIds.join(', ')}`;
  return `channel ${'channel' in to ? to.channel : to.channelId} > ${to.topic}`;
}
