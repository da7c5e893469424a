import { type Client, createClient, uploadFile } from '@bellhop/client';
import type { ChannelId } from '@bellhop/protocol';

import { type BenchRealm, fillRealm, peopleNames } from './realm.ts';
import { messageSequence, postMessage, type Sequence } from './sequence.ts';
import type { Person, ServerReady } from './serve.ts';

/** A realm and the messages that are sent there over and over. */
export interface Workload {
  readonly name: string;
  /** The people of the realm, by name. */
  readonly people: readonly string[];
  /** Senders who write at the same time. */
  readonly connections: number;
  /** Fills the realm through the API. */
  readonly fill: (server: ServerReady, payload_url: string) => Promise<BenchRealm>;
  readonly sequence: (realm: BenchRealm) => Sequence;
}

/** A work day: 50 people, 20 channels, direct messages, mentions, a bot that answers. */
export const mixed: Workload = {
  name: 'mixed',
  people: peopleNames,
  connections: 50,
  fill: fillRealm,
  sequence: messageSequence,
};

export const SENDERS = 16;
export const SUBSCRIBERS = 3;
/** By name: senders, then those who may subscribe. */
const people = Array.from({ length: SENDERS + 24 }, (_, n) => `Person ${n}`);
export const SENTENCE = 'An ordinary message of a sentence, as people write them.';
const TOPIC = 'speed';
const FILES = 500;

/** What a realm and its messages use beyond a plain sentence. */
interface Use {
  /** The number of subscribers; none of them sends. Default 3. */
  readonly subscribers?: number;
  /** Prepares the realm. Returns the texts of its messages, if they are others. */
  readonly prepare?: (realm: PreparedRealm) => Promise<string | readonly string[] | void>;
}
interface PreparedRealm extends ServerReady {
  readonly owner: Client;
  readonly subscribers: readonly Subscriber[];
  readonly stream_id: ChannelId;
  readonly payload_url: string;
}
interface Subscriber extends Person {
  readonly client: Client;
}

/**
 * One topic of a channel with three subscribers, and 16 others who write a sentence there: the cheapest
 * message there is, and what it costs to use something.
 */
export function sentences(
  name: string,
  { subscribers: count = SUBSCRIBERS, prepare }: Use = {},
): Workload {
  let contents: readonly string[] = [SENTENCE];
  return {
    name,
    people,
    connections: SENDERS,
    async fill(server, payload_url) {
      const login = (person: Person): Subscriber => ({
        ...person,
        client: createClient({ url: server.url, email: person.email, apiKey: person.api_key }),
      });
      const subscribers = server.people.slice(SENDERS, SENDERS + count).map(login);
      const [first] = server.people;
      const [creator] = subscribers;
      if (!first || !creator) throw new Error('The realm has no people');
      const channel = { name: 'bench', topics: [TOPIC], subscribers };
      await creator.client.subscriptions.add({
        subscriptions: [{ name: channel.name }],
        principals: subscribers.map(({ id }) => id as never),
      });
      if (prepare) {
        const { stream_id } = await creator.client.channels.id({ stream: channel.name });
        const owner = login(first).client;
        const realm = { ...server, owner, subscribers, stream_id, payload_url };
        contents = [(await prepare(realm)) ?? SENTENCE].flat();
      }
      return { people: server.people.slice(0, SENDERS), channels: [channel] };
    },
    sequence: ({ people: senders }) => ({
      requests: contents.flatMap((content) =>
        senders.map((sender) =>
          postMessage({ sender, address: { type: 'channel', to: 'bench', topic: TOPIC }, content }),
        ),
      ),
      mentionsBot: () => false,
    }),
  };
}

export const plain = sentences('plain');

/** What the table of costs shows, each with one thing that the plain message does not use. */
export const uses: readonly Workload[] = [
  sentences('mention of a person', { prepare: async () => `@**Person ${SENDERS}** ${SENTENCE}` }),
  sentences('link', { prepare: async () => `${SENTENCE} https://example.com/build/512` }),
  sentences('linkifier', {
    async prepare({ owner }) {
      await owner.linkifiers.add({
        pattern: '#(?<id>[0-9]+)',
        url_template: 'https://example.com/{id}',
      });
      return `${SENTENCE} See #512.`;
    },
  }),
  sentences('alert word of a subscriber', {
    async prepare({ subscribers: [subscriber] }) {
      await subscriber?.client.alertWords.add({ alert_words: ['ordinary'] });
    },
  }),
  sentences('topic that the subscribers follow', {
    async prepare({ subscribers, stream_id }) {
      for (const { client } of subscribers)
        await client.userTopics.set({ stream_id, topic: TOPIC, visibility_policy: 3 });
    },
  }),
  sentences('guest with limited sight', {
    async prepare({ owner, subscribers: [guest] }) {
      const { user_groups } = await owner.userGroups.list();
      const members = user_groups.find(({ name }) => name === 'role:members');
      if (!guest || !members) throw new Error('There is no guest or no group of members');
      await owner.users.update({ user_id: guest.id as never, role: 600 });
      await owner.realms.update({
        can_access_all_users_group: { new: members.id },
      });
    },
  }),
  sentences('bot that listens', {
    async prepare({ owner, url, stream_id, payload_url }) {
      const { user_id, api_key } = await owner.bots.create({
        full_name: 'Listener',
        short_name: 'listener',
        bot_type: 3,
        payload_url,
      });
      const { user } = await owner.users.get({ user_id });
      const bot = createClient({ url, email: user.email, apiKey: api_key });
      await bot.botTopics.subscribe({ stream_id, topic: TOPIC, expires_in: 3600 });
    },
  }),
  sentences('uploaded file', {
    async prepare({ url, people: [sender] }) {
      if (!sender) throw new Error('Nobody sends');
      const login = { url, email: sender.email, apiKey: sender.api_key };
      const contents: string[] = [];
      // Each event about a file has all its messages: files are linked by a few messages each.
      for (let n = 0; n < FILES; n++) {
        const file = new File([`${n}`], 'notes.txt', { type: 'text/plain' });
        contents.push(`${SENTENCE} [notes](${(await uploadFile(login, file)).url})`);
      }
      return contents;
    },
  }),
  sentences('24 recipients', { subscribers: 24 }),
];
