import { createClient } from '@bellhop/client';

import { seededRandom } from './random.ts';
import type { Person, ServerReady } from './serve.ts';

interface BenchChannel {
  readonly name: string;
  readonly subscribers: readonly Person[];
  readonly topics: readonly string[];
}
/** Everything a message can be addressed to. */
export interface BenchRealm {
  readonly people: readonly Person[];
  readonly channels: readonly BenchChannel[];
}

export const BOT_NAME = 'Deploy Bot';
const PEOPLE = 50;
const TOPICS_PER_CHANNEL = 30;
/** How many of the 50 people are subscribed to each of the 20 channels. */
const CHANNEL_SIZES = [50, 50, ...Array<number>(6).fill(25), ...Array<number>(12).fill(8)];

const firstNames = [
  'Ada',
  'Boris',
  'Chiara',
  'Dmitri',
  'Elif',
  'Farid',
  'Grace',
  'Hana',
  'Ivo',
  'Jun',
];
const lastNames = ['Almeida', 'Berg', 'Castro', 'Dvořák', 'Eriksen'];
const subjects = ['release', 'flaky test', 'customer report', 'design review', 'on call', 'lunch'];

export const peopleNames: readonly string[] = Array.from(
  { length: PEOPLE },
  (_, n) => `${firstNames[n % firstNames.length]} ${lastNames[Math.floor(n / firstNames.length)]}`,
);

/** Creates 20 channels with their subscribers and the webhook bot through the API. */
export async function fillRealm(
  { url, people }: ServerReady,
  payload_url: string,
): Promise<BenchRealm> {
  const [owner] = people;
  if (!owner) throw new Error('The realm has no people');
  const client = createClient({ url, email: owner.email, apiKey: owner.api_key });
  const random = seededRandom(1);
  const channels = CHANNEL_SIZES.map((size, n): BenchChannel => ({
    name: `channel ${n + 1}`,
    subscribers: random.sample(people, size),
    topics: Array.from(
      { length: TOPICS_PER_CHANNEL },
      (__, topic) => `${random.pick(subjects)} ${topic + 1}`,
    ),
  }));
  for (const { name, subscribers } of channels)
    await client.subscriptions.add({
      subscriptions: [{ name }],
      principals: subscribers.map(({ id }) => id as never),
    });
  await client.bots.create({
    full_name: BOT_NAME,
    short_name: 'deploy',
    bot_type: 3,
    payload_url,
  });
  return { people, channels };
}
