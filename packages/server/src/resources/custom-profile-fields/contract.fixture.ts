import type { CustomProfileFieldId } from '@bellhop/protocol';

import type { ContractFixture } from '../../contract.fixture.ts';
import type { TestChat } from '../../test-chat.fixture.ts';

let fields = 0;
const name = () => `Field ${++fields}`;

async function addField({ people }: TestChat): Promise<CustomProfileFieldId> {
  const field = { name: name(), field_type: 1 } as const;
  return (await people.iago.client.customProfileFields.add(field)).id;
}

/** Adds a list of the options red and blue, of which Hamlet chooses red. */
async function addChosenOption({ people: { iago, hamlet } }: TestChat) {
  const { id } = await iago.client.customProfileFields.add({
    name: name(),
    field_type: 3,
    field_data: { r: { text: 'red', order: '1' }, b: { text: 'blue', order: '2' } },
  });
  await hamlet.client.customProfileFields.setOwn({ data: [{ id, value: 'r' }] });
  return id;
}

/** Removes the option that Hamlet has chosen. */
const removeChosen = async (chat: TestChat) =>
  chat.people.iago.client.customProfileFields.update({
    field_id: await addChosenOption(chat),
    field_data: { b: { text: 'blue', order: '1' } },
  });

/** Reverses the order of the fields. */
async function reverse({ people: { iago } }: TestChat): Promise<void> {
  const { custom_fields } = await iago.client.customProfileFields.list();
  const order = custom_fields.map(({ id }) => id).toReversed();
  await iago.client.customProfileFields.reorder({ order });
}

export const fixture: ContractFixture = {
  samples: {
    'POST /realm/profile_fields': () => ({ name: name(), field_type: '1' }),
    'PATCH /realm/profile_fields': async ({ people: { iago } }) => {
      const { custom_fields } = await iago.client.customProfileFields.list();
      return { order: JSON.stringify(custom_fields.map(({ id }) => id)) };
    },
    'PATCH /realm/profile_fields/{field_id}': async (chat) => {
      const { custom_fields } = await chat.people.iago.client.customProfileFields.list();
      const known = custom_fields.find(({ type }) => type === 1)?.id;
      return { field_id: String(known ?? (await addField(chat))) };
    },
    'DELETE /realm/profile_fields/{field_id}': async (chat) => ({
      field_id: String(await addField(chat)),
    }),
  },
  declared: {
    'POST /realm/profile_fields custom_profile_fields': ({ chat }) => addField(chat),
    'PATCH /realm/profile_fields custom_profile_fields': ({ chat }) => reverse(chat),
    'PATCH /realm/profile_fields/{field_id} custom_profile_fields realm_user': ({ chat }) =>
      removeChosen(chat),
    'DELETE /realm/profile_fields/{field_id} custom_profile_fields': async ({ chat }) =>
      chat.people.iago.client.customProfileFields.remove({ field_id: await addField(chat) }),
    'PATCH /users/me/profile_data realm_user': ({ chat }) => addChosenOption(chat),
    'DELETE /users/me/profile_data realm_user': async ({ chat }) => {
      const id = await addChosenOption(chat);
      await chat.people.hamlet.client.customProfileFields.removeOwn({ data: [id] });
    },
  },
  changes: {
    'custom profile fields added, reordered, changed and removed': async (chat) => {
      const field_id = await addField(chat);
      await addChosenOption(chat);
      await reverse(chat);
      const { iago, hamlet } = chat.people;
      const data = [{ id: field_id, value: '*hi*' }];
      await hamlet.client.customProfileFields.setOwn({ data });
      await iago.client.customProfileFields.update({
        field_id,
        hint: 'A hint',
        display_in_profile_summary: true,
      });
      await iago.client.customProfileFields.remove({ field_id });
      await removeChosen(chat);
    },
    'a profile set by an administrator': async (chat) => {
      const { iago, cordelia } = chat.people;
      const id = await addField(chat);
      await iago.client.users.update({
        user_id: cordelia.user.id,
        profile_data: [{ id, value: 'a text' }],
      });
    },
  },
};
