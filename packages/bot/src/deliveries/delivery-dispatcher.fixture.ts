import type { MessageId } from '@bellhop/protocol';

import type { Bot } from '../bot-builder.ts';
import { BotError } from '../bot-error.ts';
import type { BotOptions } from '../bot-options.ts';
import { createBot } from '../create-bot.ts';
import { readDelivery } from '../delivery.ts';
import { mention } from '../example-payload.fixture.ts';
import type { Conversation } from '../rest/conversation.ts';
import type { ReplySender } from '../rest/reply-sender.ts';
import type { CheckedReply } from '../rest/reply.ts';
import { Runtime } from '../runtime.ts';
import { recordingHooks } from '../testing/recording-hooks.ts';
import { virtualClock } from '../testing/virtual-clock.ts';

/** Records the replies sent by REST; `faults` makes calls fail. */
export class FakeReplySender implements ReplySender {
  readonly sent: string[] = [];
  /** The failures of the next calls. */
  readonly faults: ('unreachable' | 'refused' | 'arrives, but the answer is lost')[] = [];

  readonly send = async (_conversation: Conversation, { content }: CheckedReply): Promise<void> => {
    const fault = this.faults.shift();
    if (fault === 'refused') throw new BotError('api_rejected', 'refused');
    if (fault !== 'unreachable') this.sent.push(content);
    if (fault !== undefined) throw new BotError('api_unreachable', 'no answer');
  };

  readonly hasSent = async (_conversation: Conversation, _after: MessageId, content: string) =>
    this.sent.includes(content);
}

export const delivered = (content = 'hi', topic = 'releases', id?: number) => {
  const payload = mention(content);
  const message = { ...payload.message, subject: topic, ...(id === undefined ? {} : { id }) };
  const received = readDelivery({ ...payload, message });
  if (received === undefined) throw new Error('The payload of the test is wrong');
  return received.delivery;
};

interface Setup extends Partial<BotOptions> {
  readonly replySender?: ReplySender;
}

/** A dispatcher with a bot on a virtual clock, and the reports of its hooks. */
export function testDispatcher(
  build: (bot: Bot) => unknown,
  { replySender, ...options }: Setup = {},
) {
  const clock = virtualClock();
  const { hooks, reports, failures, warnings } = recordingHooks();
  const made = createBot({ email: 'echo-bot@chat.test', token: 'genuine', clock, ...options });
  build(made);
  const open = () =>
    new Runtime(made, { hooks, deadlineMs: 8000, place: 'test', instead: { replySender } })
      .dispatcher;
  const outcomes = () => reports.map(({ outcome }) => outcome);
  return { dispatcher: open(), open, clock, reports, failures, warnings, outcomes };
}
