import type { ContractFixture } from '../../contract.fixture.ts';
import type { TestChat } from '../../test-chat.fixture.ts';

let count = 0;
const nextRule = () => ({
  pattern: `bug${++count}-(?P<id>[0-9]+)`,
  url_template: 'https://bugs.test/{id}',
});
const add = ({ people }: TestChat) => people.desdemona.client.linkifiers.add(nextRule());

export const fixture: ContractFixture = {
  samples: {
    'POST /realm/filters': nextRule,
    'PATCH /realm/filters/{filter_id}': async (chat) => ({
      filter_id: String((await add(chat)).id),
      ...nextRule(),
    }),
    'DELETE /realm/filters/{filter_id}': async (chat) => ({
      filter_id: String((await add(chat)).id),
    }),
    'PATCH /realm/linkifiers': async ({ people }) => {
      const { linkifiers } = await people.desdemona.client.linkifiers.list({});
      return { ordered_linkifier_ids: JSON.stringify(linkifiers.map(({ id }) => id)) };
    },
  },
  declared: {
    'POST /realm/filters realm_linkifiers': ({ chat }) => add(chat),
    'PATCH /realm/filters/{filter_id} realm_linkifiers': async ({ chat }) =>
      chat.people.iago.client.linkifiers.update({
        filter_id: (await add(chat)).id,
        ...nextRule(),
      }),
    'DELETE /realm/filters/{filter_id} realm_linkifiers': async ({ chat }) =>
      chat.people.iago.client.linkifiers.remove({ filter_id: (await add(chat)).id }),
    'PATCH /realm/linkifiers realm_linkifiers': async ({ chat: { people } }) => {
      const { linkifiers } = await people.iago.client.linkifiers.list({});
      await people.iago.client.linkifiers.reorder({
        ordered_linkifier_ids: linkifiers.map(({ id }) => id).toReversed(),
      });
    },
  },
  changes: {
    'linkifiers added, updated, reordered and removed': async (chat) => {
      const { client } = chat.people.iago;
      const [first, second] = [await add(chat), await add(chat)];
      await client.linkifiers.update({ filter_id: first.id, ...nextRule() });
      const { linkifiers } = await client.linkifiers.list({});
      await client.linkifiers.reorder({
        ordered_linkifier_ids: linkifiers.map(({ id }) => id).toReversed(),
      });
      await client.linkifiers.remove({ filter_id: second.id });
    },
  },
};
