import type { DraftContent, DraftId } from '@bellhop/protocol';

import type { ContractFixture } from '../../contract.fixture.ts';
import type { Person } from '../../test-chat.fixture.ts';

const note: DraftContent = { type: '', to: [], topic: '', content: 'a thought' };

/** Adds a draft. Returns its ID. */
async function added({ client }: Person, draft = note): Promise<DraftId> {
  const [id] = (await client.drafts.add({ drafts: [draft] })).ids;
  if (id === undefined) throw new Error('The draft has no ID');
  return id;
}

export const fixture: ContractFixture = {
  samples: {
    'POST /drafts': () => ({ drafts: JSON.stringify([note]) }),
    'PATCH /drafts/{draft_id}': async (_chat, caller) => ({
      draft_id: String(await added(caller)),
      draft: JSON.stringify(note),
    }),
  },
  parameters: {
    draft_id: (_chat, caller) => added(caller),
  },
  declared: {
    'POST /drafts drafts': ({ chat }) => added(chat.people.hamlet),
    'PATCH /drafts/{draft_id} drafts': async ({ chat: { people } }) =>
      people.hamlet.client.drafts.update({ draft_id: await added(people.hamlet), draft: note }),
    'DELETE /drafts/{draft_id} drafts': async ({ chat: { people } }) =>
      people.hamlet.client.drafts.remove({ draft_id: await added(people.hamlet) }),
  },
  changes: {
    'drafts added, edited and removed': async ({ people: { hamlet, cordelia, iago } }) => {
      const { drafts, channels } = hamlet.client;
      const { stream_id } = await channels.id({ stream: 'verona' });
      const to = [cordelia.user.id, iago.user.id];
      await drafts.add({
        drafts: [
          { type: 'stream', to: [stream_id], topic: 'plans', content: 'old', timestamp: 1_000.5 },
          { type: 'private', to, topic: '', content: 'new' },
          { ...note, timestamp: 2_000 },
        ],
      });
      const edited = await added(hamlet);
      await drafts.update({ draft_id: edited, draft: { ...note, timestamp: 1_500 } });
      await drafts.remove({ draft_id: await added(hamlet) });
    },
  },
};
