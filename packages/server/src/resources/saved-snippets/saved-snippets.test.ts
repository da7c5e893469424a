import { MAX_SAVED_SNIPPETS } from '@bellhop/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';

let chat: TestChat;
beforeAll(async () => (chat = await startTestChat({ now: () => 1_700_000_000 })));
afterAll(() => chat[Symbol.asyncDispose]());

const snippet = { title: 'Thanks', content: 'Thank you!' };

describe('a saved snippet', () => {
  test('reaches all clients of its user, and nobody else', async () => {
    const { hamlet, cordelia } = chat.people;
    const queues = [await listen(hamlet), await listen(cordelia)] as const;
    const { savedSnippets } = hamlet.client;
    const { saved_snippet_id: id } = await savedSnippets.add({ title: ' Thanks ', content: 'x ' });
    await savedSnippets.update({ saved_snippet_id: id, content: 'Thank you!' });
    const stored = { ...snippet, id, date_created: 1_700_000_000 };
    expect((await savedSnippets.list({})).saved_snippets).toEqual([stored]);
    await savedSnippets.remove({ saved_snippet_id: id });
    expect(await queues[0].events('saved_snippets')).toMatchObject([
      { op: 'add', saved_snippet: { ...stored, content: 'x' } },
      { op: 'update', saved_snippet: stored },
      { op: 'remove', saved_snippet_id: id },
    ]);
    expect(await queues[1].events('saved_snippets')).toEqual([]);
  });

  test('of another user is answered like a missing one: 404 with BAD_REQUEST', async () => {
    const { hamlet, cordelia } = chat.people;
    const { saved_snippet_id } = await hamlet.client.savedSnippets.add(snippet);
    for (const [route, fields] of [
      [`PATCH /saved_snippets/${saved_snippet_id}`, { title: 'mine' }],
      [`DELETE /saved_snippets/${saved_snippet_id}`, {}],
      ['DELETE /saved_snippets/999999', {}],
    ] as const) {
      const { status, body } = await chat.ask(cordelia, route, fields);
      expect([status, body]).toMatchObject([
        404,
        { code: 'BAD_REQUEST', msg: 'Saved snippet does not exist.' },
      ]);
    }
  });

  test('is edited without an event by a request without changes', async () => {
    const { iago } = chat.people;
    const { saved_snippet_id } = await iago.client.savedSnippets.add(snippet);
    const queue = await listen(iago);
    await iago.client.savedSnippets.update({ saved_snippet_id });
    expect(await queue.events('saved_snippets')).toEqual([]);
  });
});

describe('saving a snippet is refused', () => {
  test.each([
    { ...snippet, title: ' ' },
    { ...snippet, content: ' ' },
    { ...snippet, title: 'x'.repeat(61) },
    { ...snippet, content: 'x'.repeat(10_001) },
  ])('without a text or with one that is too long, case %#', async (fields) => {
    const { status, body } = await chat.ask(chat.people.shiva, 'POST /saved_snippets', fields);
    expect([status, body['code']]).toEqual([400, 'BAD_REQUEST']);
  });

  test(`beyond ${MAX_SAVED_SNIPPETS} snippets`, async () => {
    const { polonius } = chat.people;
    const row = { realm_id: chat.realm.id, user_id: polonius.user.id, date_created: 1 };
    await chat.server.app.db.kysely
      .insertInto('saved_snippet')
      .values(Array.from({ length: MAX_SAVED_SNIPPETS }, () => ({ ...row, ...snippet })))
      .execute();
    await expect(polonius.client.savedSnippets.add(snippet)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: `You can have at most ${MAX_SAVED_SNIPPETS} saved snippets: remove some first.`,
    });
  });
});
