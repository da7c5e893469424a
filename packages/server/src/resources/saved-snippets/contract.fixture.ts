import type { SavedSnippetId } from '@bellhop/protocol';

import type { ContractFixture } from '../../contract.fixture.ts';
import type { Person } from '../../test-chat.fixture.ts';

const add = async ({ client }: Person): Promise<SavedSnippetId> =>
  (await client.savedSnippets.add({ title: 'Thanks', content: 'Thank you!' })).saved_snippet_id;

export const fixture: ContractFixture = {
  samples: {
    'PATCH /saved_snippets/{saved_snippet_id}': async (_chat, caller) => ({
      saved_snippet_id: String(await add(caller)),
      title: 'Better',
    }),
  },
  parameters: { saved_snippet_id: (_chat, caller) => add(caller) },
  declared: {
    'POST /saved_snippets saved_snippets': ({ chat }) => add(chat.people.hamlet),
    'PATCH /saved_snippets/{saved_snippet_id} saved_snippets': async ({ chat: { people } }) =>
      people.hamlet.client.savedSnippets.update({
        saved_snippet_id: await add(people.hamlet),
        title: 'Regards',
      }),
    'DELETE /saved_snippets/{saved_snippet_id} saved_snippets': async ({ chat: { people } }) =>
      people.hamlet.client.savedSnippets.remove({ saved_snippet_id: await add(people.hamlet) }),
  },
  changes: {
    'snippets saved, edited and deleted': async ({ people: { hamlet } }) => {
      const { savedSnippets } = hamlet.client;
      const saved_snippet_id = await add(hamlet);
      await add(hamlet);
      await savedSnippets.update({ saved_snippet_id, content: 'Many thanks!' });
      await savedSnippets.remove({ saved_snippet_id: await add(hamlet) });
    },
  },
};
