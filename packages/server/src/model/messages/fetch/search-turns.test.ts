import { type Client, createClient } from '@bellhop/client';
import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { type Person, startTestChat } from '../../../test-chat.fixture.ts';

const search = { operator: 'search', operand: 'skull' };
const narrow = [search];
const range = { anchor: 'newest', num_before: 10, num_after: 0 };

test.each<[string, (client: Client) => Promise<unknown>]>([
  ['searches', ({ messages }) => messages.fetch({ ...range, narrow })],
  [
    'searches for messages without a word',
    ({ messages }) => messages.fetch({ ...range, narrow: [{ ...search, negated: true }] }),
  ],
  [
    'searches among messages that they name',
    ({ messages }) => messages.matchesNarrow({ msg_ids: [1], narrow }),
  ],
  [
    'searches whose messages get a flag',
    ({ messages }) => messages.setFlagInNarrow({ ...range, narrow, op: 'add', flag: 'read' }),
  ],
])(
  'somebody with 20 %s under way is refused another one, and somebody else is not',
  async (_, ask) => {
    await using chat = await startTestChat();
    const node = await chat.anotherNode({ maxConnections: 10 });
    const { hamlet, cordelia } = chat.people;
    const askAs = ({ email, api_key }: Person) =>
      ask(createClient({ url: node.url, email, apiKey: api_key }));
    const other = await chat.openDatabase();
    try {
      const settled = await other.transaction(async (tx) => {
        await sql`lock table message in access exclusive mode`.execute(tx);
        const own = Array.from({ length: 21 }, () => askAs(hamlet));
        const all = Promise.allSettled([...own, askAs(cordelia)]);
        await expect(Promise.race(own)).rejects.toMatchObject({
          code: 'RATE_LIMIT_HIT',
          message:
            'The server is still working on 20 searches of yours. Try again in a few seconds.',
        });
        return { all };
      });
      const refused = (await settled.all).filter(({ status }) => status === 'rejected');
      expect(refused).toHaveLength(1);
    } finally {
      await other.close();
    }
  },
);
