import {
  ApiError,
  badRequest,
  type Narrow,
  type NarrowTerm,
  RESOLVED_MARK,
  shownTopic,
} from '@bellhop/protocol';

import type { Account } from './account.ts';
import type { StoredMessage } from './stored-message.ts';
import { accountById, accountOf, channelNamed, type World } from './world.ts';

type MessageFilter = (message: StoredMessage) => boolean;
/** Compiles a term for a reader. */
type TermCompiler = (operand: NarrowTerm['operand'], context: NarrowContext) => MessageFilter;

interface NarrowContext {
  readonly world: World;
  readonly reader: Account;
}

/** Throws BAD_NARROW for an unknown operator, channel or user. */
export function compileNarrow(narrow: Narrow, context: NarrowContext): MessageFilter {
  const terms = narrow.map(({ operator, operand, negated }) => {
    const compile = termCompilers[operator];
    if (!compile) throw badNarrow(`unknown ${operator} operator`);
    const matches = compile(operand, context);
    return negated ? (message: StoredMessage) => !matches(message) : matches;
  });
  return (message) => terms.every((matches) => matches(message));
}

/** Whether a narrow names a channel, so that it also finds messages that the reader did not receive. */
export const namesChannel = (narrow: Narrow): boolean =>
  narrow.some(({ operator, negated }) => !negated && /^(channel|stream)s?$/.test(operator));

const QUEUE_OPERATORS = new Set(['channel', 'stream', 'topic', 'sender', 'is']);

/** Throws BAD_REQUEST if an operator cannot filter the events of a queue. */
export function checkQueueNarrow(narrow: Narrow): void {
  const unsupported = narrow.find(({ operator }) => !QUEUE_OPERATORS.has(operator));
  if (unsupported) throw badRequest(`Operator ${unsupported.operator} not supported.`);
}

const badNarrow = (desc: string) =>
  new ApiError('BAD_NARROW', { message: `Invalid narrow operator: ${desc}`, data: { desc } });

const channel: TermCompiler = (operand, { world }) => {
  const found =
    typeof operand === 'number'
      ? world.channels.find(({ stream_id }) => stream_id === operand)
      : channelNamed(world, String(operand));
  if (!found) throw badNarrow('unknown channel');
  return ({ conversation }) => 'channel' in conversation && conversation.channel === found;
};

const topic: TermCompiler = (operand) => {
  const wanted = shownTopic(String(operand), false).toLowerCase();
  return ({ conversation }) =>
    'channel' in conversation && shownTopic(conversation.topic, false).toLowerCase() === wanted;
};

const sender: TermCompiler = (operand, context) => {
  const { user_id } = userOf(operand, context);
  return (message) => message.sender.user_id === user_id;
};

const dm: TermCompiler = (operand, context) => {
  const listed = Array.isArray(operand) ? operand : String(operand).split(',');
  const ids = new Set(listed.map((one) => userOf(one, context).user_id)).add(
    context.reader.user_id,
  );
  return ({ conversation }) =>
    'participants' in conversation &&
    conversation.participants.length === ids.size &&
    conversation.participants.every(({ user_id }) => ids.has(user_id));
};

const dmIncluding: TermCompiler = (operand, context) => {
  const { user_id } = userOf(operand, context);
  return ({ conversation }) =>
    'participants' in conversation &&
    conversation.participants.some((one) => one.user_id === user_id);
};

const is: TermCompiler = (operand, { reader }) => {
  const flagged = (test: (flag: string) => boolean) => (message: StoredMessage) =>
    [...(message.received.get(reader.user_id) ?? [])].some(test);
  switch (operand) {
    case 'dm':
    case 'private':
      return ({ conversation }) => 'participants' in conversation;
    case 'mentioned':
      return flagged((flag) => flag.endsWith('mentioned'));
    case 'starred':
      return flagged((flag) => flag === 'starred');
    case 'unread': {
      const isRead = flagged((flag) => flag === 'read');
      return (message) => message.received.has(reader.user_id) && !isRead(message);
    }
    case 'resolved':
      return ({ conversation }) =>
        'channel' in conversation && conversation.topic.startsWith(RESOLVED_MARK);
    default:
      throw badNarrow(`unknown 'is' operand ${String(operand)}`);
  }
};

const search: TermCompiler = (operand) => {
  const words = String(operand).toLowerCase().split(/\s+/);
  return ({ content }) => words.every((word) => content.toLowerCase().includes(word));
};

const termCompilers: Readonly<Record<string, TermCompiler>> = {
  channel,
  stream: channel,
  topic,
  sender,
  dm,
  'pm-with': dm,
  'dm-including': dmIncluding,
  is,
  search,
  id: (operand) => (message) => message.id === Number(operand),
};

function userOf(operand: unknown, { world }: NarrowContext): Account {
  const found =
    typeof operand === 'number'
      ? accountById(world, operand)
      : accountOf(world, String(operand).trim());
  if (!found) throw badNarrow(`unknown user ${String(operand)}`);
  return found;
}
