import type { ContractFixture } from '../../contract.fixture.ts';
import type { Person } from '../../test-chat.fixture.ts';

let count = 0;
const next = () => {
  count += 1;
  return { fragment: `narrow/topic/number-${count}`, name: `Number ${count}` };
};

/** Adds a view. Returns its fragment. */
async function added({ client }: Person): Promise<{ fragment: string }> {
  const { fragment, name } = next();
  await client.navigationViews.add({ fragment, name, is_pinned: true });
  return { fragment };
}

export const fixture: ContractFixture = {
  samples: {
    'POST /navigation_views': () => ({ ...next(), is_pinned: 'true' }),
    'PATCH /navigation_views/{fragment}': (_chat, caller) => added(caller),
    'DELETE /navigation_views/{fragment}': (_chat, caller) => added(caller),
  },
  declared: {
    'POST /navigation_views navigation_view': ({ chat: { people } }) => added(people.hamlet),
    'PATCH /navigation_views/{fragment} navigation_view': async ({ chat: { people } }) =>
      people.hamlet.client.navigationViews.update({
        ...(await added(people.hamlet)),
        is_pinned: false,
      }),
    'PATCH /navigation_views/{fragment} NOT_FOUND': ({ chat: { people } }) =>
      people.hamlet.client.navigationViews.update({ fragment: 'no/such', is_pinned: true }),
    'DELETE /navigation_views/{fragment} navigation_view': async ({ chat: { people } }) =>
      people.hamlet.client.navigationViews.remove(await added(people.hamlet)),
    'DELETE /navigation_views/{fragment} NOT_FOUND': ({ chat: { people } }) =>
      people.hamlet.client.navigationViews.remove({ fragment: 'no/such' }),
  },
  changes: {
    'navigation views added, renamed, hidden and removed': async ({ people: { hamlet } }) => {
      const { navigationViews } = hamlet.client;
      const [first, second] = [await added(hamlet), await added(hamlet)];
      await navigationViews.add({ fragment: 'inbox', is_pinned: true });
      await navigationViews.update({ fragment: 'inbox', is_pinned: false });
      await navigationViews.update({ ...second, name: `Renamed ${second.fragment}` });
      await navigationViews.remove(first);
    },
  },
};
