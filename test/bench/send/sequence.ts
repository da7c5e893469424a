import { requestBytes } from '../load.ts';
import { corpus } from './corpus.ts';
import { type Random, seededRandom } from './random.ts';
import { type BenchRealm, BOT_NAME } from './realm.ts';
import type { Person } from './serve.ts';

export const BOT_MENTION = `@**${BOT_NAME}**`;
const LENGTH = 10_000;

export interface Sequence {
  readonly requests: readonly Buffer[];
  /** Whether the message at this index calls the webhook. */
  readonly mentionsBot: (index: number) => boolean;
}

/**
 * The messages of the load, the same ones in every run: one in five is direct, one in ten mentions
 * people or, in a channel, the webhook bot. Each sender writes to channels they are subscribed to.
 */
export function messageSequence(realm: BenchRealm): Sequence {
  const random = seededRandom(2);
  const messages = Array.from({ length: LENGTH }, (_, n) => messageAt(n, realm, random));
  return {
    requests: messages.map(postMessage),
    mentionsBot: (index) => messages[index]?.mentionsBot ?? false,
  };
}

interface SentMessage {
  readonly sender: Person;
  readonly address: Readonly<Record<string, string>>;
  readonly content: string;
}
interface BenchMessage extends SentMessage {
  readonly mentionsBot: boolean;
}

function messageAt(n: number, { people, channels }: BenchRealm, random: Random): BenchMessage {
  const sender = random.pick(people);
  const others = people.filter(({ id }) => id !== sender.id);
  const isDirect = random.below(5) === 0;
  const mentions = random.below(10) === 0;
  const mentionsBot = mentions && !isDirect && random.below(2) === 0;
  const text = random
    .pick(corpus)
    .replaceAll('{n}', String(n))
    .replaceAll('{name}', sender.full_name);
  const mentioned = random.sample(others, 1 + random.below(2));
  const names = mentioned.map(({ full_name }) => `@**${full_name}**`).join(' ');
  const content = mentionsBot
    ? `${BOT_MENTION} deploy build ${n}`
    : mentions
      ? `${names} ${text}`
      : text;
  const own = channels.filter(({ subscribers }) => subscribers.includes(sender));
  return {
    sender,
    content,
    mentionsBot,
    address: isDirect
      ? directTo(random.sample(others, random.below(5) === 0 ? 2 : 1))
      : inOneOf(own, random),
  };
}

const directTo = (people: readonly Person[]) => ({
  type: 'direct',
  to: JSON.stringify(people.map(({ id }) => id)),
});

function inOneOf(channels: BenchRealm['channels'], random: Random) {
  const { name, topics } = random.pick(channels);
  return { type: 'channel', to: name, topic: random.pick(topics) };
}

/** The request that sends a message. */
export const postMessage = ({ sender, address, content }: SentMessage): Buffer =>
  requestBytes({
    path: '/api/v1/messages',
    headers: {
      authorization: `Basic ${btoa(`${sender.email}:${sender.api_key}`)}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ ...address, content }).toString(),
  });
