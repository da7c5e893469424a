import { ApiError, badRequest, type Narrow, type NarrowTerm, shownTopic } from '@bellhop/protocol';

import type { Account } from './account.ts';
import type { StoredMessage } from './stored-message.ts';
import { accountById, accountOf, channelNamed, type World } from './world.ts';

type Holds = (message: StoredMessage) => boolean;
/** What a term means to a reader. */
type Meaning = (operand: NarrowTerm['operand'], seeker: Seeker) => Holds;

interface Seeker {
  readonly world: World;
  readonly reader: Account;
}

/** Throws BAD_NARROW for what it does not know: a channel, a person, an operator. */
export function compileNarrow(narrow: Narrow, seeker: Seeker): Holds {
  const terms = narrow.map(({ operator, operand, negated }) => {
    const meaning = meanings[operator];
    if (!meaning) throw badNarrow(`unknown ${operator} operator`);
    const holds = meaning(operand, seeker);
    return negated ? (message: StoredMessage) => !holds(message) : holds;
  });
  return (message) => terms.every((holds) => holds(message));
}

/** Whether a narrow names a channel: then what never came to the reader is found too. */
export const namesChannel = (narrow: Narrow): boolean =>
  narrow.some(({ operator, negated }) => !negated && /^(channel|stream)s?$/.test(operator));

const QUEUE_OPERATORS = new Set(['channel', 'stream', 'topic', 'sender', 'is']);

/** A queue can only be filtered by what a single message shows. Throws BAD_REQUEST. */
export function checkQueueNarrow(narrow: Narrow): void {
  const unfit = narrow.find(({ operator }) => !QUEUE_OPERATORS.has(operator));
  if (unfit) throw badRequest(`Operator ${unfit.operator} not supported.`);
}

const badNarrow = (desc: string) =>
  new ApiError('BAD_NARROW', { message: `Invalid narrow operator: ${desc}`, data: { desc } });

const channel: Meaning = (operand, { world }) => {
  const found =
    typeof operand === 'number'
      ? world.channels.find(({ stream_id }) => stream_id === operand)
      : channelNamed(world, String(operand));
  if (!found) throw badNarrow('unknown channel');
  return ({ place }) => 'channel' in place && place.channel === found;
};

const topic: Meaning = (operand) => {
  const wanted = shownTopic(String(operand), false).toLowerCase();
  return ({ place }) =>
    'channel' in place && shownTopic(place.topic, false).toLowerCase() === wanted;
};

const sender: Meaning = (operand, seeker) => {
  const { user_id } = person(operand, seeker);
  return (message) => message.sender.user_id === user_id;
};

const dm: Meaning = (operand, seeker) => {
  const listed = Array.isArray(operand) ? operand : String(operand).split(',');
  const ids = new Set(listed.map((one) => person(one, seeker).user_id)).add(seeker.reader.user_id);
  return ({ place }) =>
    'people' in place &&
    place.people.length === ids.size &&
    place.people.every(({ user_id }) => ids.has(user_id));
};

const dmIncluding: Meaning = (operand, seeker) => {
  const { user_id } = person(operand, seeker);
  return ({ place }) => 'people' in place && place.people.some((one) => one.user_id === user_id);
};

const is: Meaning = (operand, { reader }) => {
  const flagged = (test: (flag: string) => boolean) => (message: StoredMessage) =>
    [...(message.received.get(reader.user_id) ?? [])].some(test);
  switch (operand) {
    case 'dm':
    case 'private':
      return ({ place }) => 'people' in place;
    case 'mentioned':
      return flagged((flag) => flag.endsWith('mentioned'));
    case 'starred':
      return flagged((flag) => flag === 'starred');
    case 'unread': {
      const isRead = flagged((flag) => flag === 'read');
      return (message) => message.received.has(reader.user_id) && !isRead(message);
    }
    case 'resolved':
      return ({ place }) => 'channel' in place && place.topic.startsWith('\u2714 ');
    default:
      throw badNarrow(`unknown 'is' operand ${String(operand)}`);
  }
};

const search: Meaning = (operand) => {
  const words = String(operand).toLowerCase().split(/\s+/);
  return ({ content }) => words.every((word) => content.toLowerCase().includes(word));
};

const meanings: Readonly<Record<string, Meaning>> = {
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

function person(operand: unknown, { world }: Seeker): Account {
  const found =
    typeof operand === 'number'
      ? accountById(world, operand)
      : accountOf(world, String(operand).trim());
  if (!found) throw badNarrow(`unknown user ${String(operand)}`);
  return found;
}
