import { createClient } from '@bellhop/client';
import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { type Person, startTestChat } from '../../../test-chat.fixture.ts';

test('somebody with 20 searches under way is refused another one, and somebody else is not', async () => {
  await using chat = await startTestChat();
  const node = await chat.anotherNode({ maxConnections: 10 });
  const { hamlet, cordelia } = chat.people;
  const search = ({ email, api_key }: Person) =>
    createClient({ url: node.url, email, apiKey: api_key }).messages.fetch({
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
      narrow: [{ operator: 'search', operand: 'skull' }],
    });
  const other = await chat.openDatabase();
  try {
    const settled = await other.transaction(async (tx) => {
      await sql`lock table message in access exclusive mode`.execute(tx);
      const searches = Array.from({ length: 21 }, () => search(hamlet));
      const all = Promise.allSettled([...searches, search(cordelia)]);
      await expect(Promise.race(searches)).rejects.toMatchObject({
        code: 'RATE_LIMIT_HIT',
        message: 'The server is still working on 20 searches of yours. Try again in a few seconds.',
      });
      return { all };
    });
    const refused = (await settled.all).filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(1);
  } finally {
    await other.close();
  }
});
