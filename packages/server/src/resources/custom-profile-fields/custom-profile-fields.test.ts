import type { CustomProfileFieldId, ProfileFieldType } from '@bellhop/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { commitTogether } from '../../commit-together.fixture.ts';
import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

const options = { a: { text: 'Apple', order: '1' }, b: { text: 'Pear', order: '2' } };
const refused = (message: string) => ({
  code: 'BAD_REQUEST',
  message: expect.stringContaining(message) as unknown,
});
let fields = 0;

async function addField(
  field_type: ProfileFieldType,
  more: { field_data?: object; editable_by_user?: boolean } = {},
): Promise<CustomProfileFieldId> {
  const field = { name: `Field ${++fields}`, field_type, ...more };
  return (await chat.people.iago.client.customProfileFields.add(field as never)).id;
}
const setOwn = ({ client }: Person, id: CustomProfileFieldId, value: string | number[] | null) =>
  client.customProfileFields.setOwn({ data: [{ id, value }] });

async function profileOf({ user }: Person) {
  const { client } = chat.people.cordelia;
  const found = await client.users.get({
    user_id: user.id,
    include_custom_profile_fields: true,
  });
  return found.user.profile_data;
}

describe('fields', () => {
  test('an administrator adds, changes, reorders and removes fields; everybody learns it', async () => {
    const { iago, polonius } = chat.people;
    const queue = await listen(polonius, { event_types: ['custom_profile_fields'] });
    const { customProfileFields } = iago.client;
    const { id: first } = await customProfileFields.add({
      name: ' Phone ',
      hint: 'With area code',
      field_type: 1,
    });
    const { id: second } = await customProfileFields.add({
      name: 'Fruit',
      field_type: 3,
      field_data: options,
      display_in_profile_summary: true,
      required: true,
      editable_by_user: false,
    });
    await customProfileFields.update({ field_id: first, name: 'Telephone', hint: '' });
    const { custom_fields } = await polonius.client.customProfileFields.list();
    const phone = {
      id: first,
      name: 'Telephone',
      type: 1,
      hint: '',
      field_data: '',
      order: 1,
      required: false,
      editable_by_user: true,
    };
    expect(custom_fields).toEqual([
      phone,
      {
        id: second,
        name: 'Fruit',
        type: 3,
        hint: '',
        field_data: JSON.stringify(options),
        order: 2,
        required: true,
        editable_by_user: false,
        display_in_profile_summary: true,
      },
    ]);
    const { custom_profile_fields, custom_profile_field_types } =
      await polonius.client.queues.register({ fetch_event_types: ['custom_profile_fields'] });
    expect(custom_profile_fields).toEqual(custom_fields);
    expect(custom_profile_field_types).toMatchObject({
      SHORT_TEXT: { id: 1, name: 'Text (short)' },
    });
    await customProfileFields.reorder({ order: [second, first] });
    await customProfileFields.remove({ field_id: second });
    const events = (await queue.all()) as unknown as { fields: { id: number }[] }[];
    expect(events.map((event) => event.fields.map(({ id }) => id))).toEqual([
      [first],
      [first, second],
      [first, second],
      [second, first],
      [first],
    ]);
    await customProfileFields.remove({ field_id: first });
  });

  test('other users may not change fields', async () => {
    const { shiva, hamlet, polonius } = chat.people;
    for (const { client } of [shiva, hamlet, polonius])
      await expect(
        client.customProfileFields.add({ name: 'x', field_type: 1 }),
      ).rejects.toMatchObject({ code: 'UNAUTHORIZED_PRINCIPAL' });
  });

  test.each([
    [{ name: ' ', field_type: 1 }, 'Label cannot be blank.'],
    [{ name: 'x'.repeat(41), field_type: 1 }, 'name is too long (limit: 40 characters)'],
    [{ name: 'x', hint: 'x'.repeat(81), field_type: 1 }, 'hint is too long (limit: 80 characters)'],
    [{ name: 'x', field_type: 3 }, 'Field must have at least one choice.'],
    [{ name: 'x', field_type: 3, field_data: { a: 'b' } }, 'is not a dict'],
    [
      { name: 'x', field_type: 3, field_data: { a: options.a, b: options.a } },
      'Field must not have duplicate choices.',
    ],
    [{ name: 'x', field_type: 7 }, 'subtype key is missing'],
    [{ name: 'x', field_type: 7, field_data: { subtype: 'x' } }, 'Invalid external account type'],
    [{ name: 'x', field_type: 7, field_data: { subtype: 'custom' } }, 'must define URL pattern'],
    [
      { name: 'x', field_type: 7, field_data: { subtype: 'custom', url_pattern: 'https://x.y' } },
      '%(username)s',
    ],
    [
      { name: 'x', field_type: 7, field_data: { subtype: 'custom', url_pattern: '%(username)s' } },
      'is not a URL',
    ],
    [
      { name: 'x', field_type: 2, display_in_profile_summary: true },
      'Field type not supported for display in profile summary.',
    ],
  ])('%j is refused', async (field, message) => {
    const { client } = chat.people.iago;
    await expect(client.customProfileFields.add(field as never)).rejects.toMatchObject(
      refused(message),
    );
  });

  test('a used name, an unknown field, a third one in the summary and a part of the order are refused', async () => {
    const { customProfileFields } = chat.people.iago.client;
    const summary = { field_type: 1, display_in_profile_summary: true } as const;
    const ids = [
      (await customProfileFields.add({ name: 'One', ...summary })).id,
      (await customProfileFields.add({ name: 'Two', ...summary })).id,
    ] as const;
    const none = 999_999 as CustomProfileFieldId;
    for (const [call, message] of [
      [() => customProfileFields.add({ name: 'ONE', field_type: 1 }), 'already exists'],
      [() => customProfileFields.add({ name: 'Three', ...summary }), 'Only 2 custom profile'],
      [
        () => customProfileFields.update({ field_id: none, name: 'x' }),
        'Field id 999999 not found.',
      ],
      [() => customProfileFields.remove({ field_id: none }), 'Field id 999999 not found.'],
      [() => customProfileFields.reorder({ order: [ids[0]] }), 'Invalid order mapping.'],
    ] as const)
      await expect(call()).rejects.toMatchObject(refused(message));
    for (const field_id of ids) await customProfileFields.remove({ field_id });
  });
});

describe('values', () => {
  test('a value of every type is stored, and the texts are rendered', async () => {
    const person = await chat.addPerson('ann');
    const account = { subtype: 'custom', url_pattern: 'https://example.com/%(username)s' };
    const values = [
      [await addField(1), 'a *text*', { rendered_value: '<p>a <em>text</em></p>' }],
      [await addField(2), 'x'.repeat(500), { rendered_value: `<p>${'x'.repeat(500)}</p>` }],
      [await addField(3, { field_data: options }), 'a', {}],
      [await addField(4), '2024-02-29', {}],
      [await addField(5), 'https://example.com', {}],
      [await addField(7, { field_data: { subtype: 'github' } }), 'ann', {}],
      [await addField(7, { field_data: account }), 'ann', {}],
      [await addField(8), 'she', {}],
    ] as const;
    for (const [id, value] of values) await setOwn(person, id, value);
    const users = await addField(6);
    const { id } = chat.people.hamlet.user;
    await setOwn(person, users, [id]);
    expect(await profileOf(person)).toEqual({
      ...Object.fromEntries(values.map(([field, value, more]) => [field, { value, ...more }])),
      [users]: { value: `[${id}]` },
    });
    const { realm_users } = await person.client.queues.register({
      fetch_event_types: ['realm_user'],
    });
    const own = realm_users?.find(({ user_id }) => user_id === person.user.id);
    expect(own?.profile_data?.[users]).toEqual({ value: `[${id}]` });
  });

  test('a value that does not fit the type of its field is refused', async () => {
    const { hamlet } = chat.people;
    const bot = await hamlet.client.bots.create({ full_name: 'Bo', short_name: 'bo' });
    const cases: [ProfileFieldType, string | number[], string][] = [
      [1, 'x'.repeat(51), 'is too long (limit: 50 characters)'],
      [2, 'x'.repeat(501), 'is too long (limit: 500 characters)'],
      [1, [1], 'is not a string'],
      [3, 'c', "'c' is not a valid choice for"],
      [4, '2023-02-29', 'is not a date'],
      [4, '0000-01-01', 'is not a date'],
      [4, 'soon', 'is not a date'],
      [5, 'javascript:alert(1)', 'is not a URL'],
      [6, 'x', 'is not a list of user IDs'],
      [6, [999_999], 'Invalid user ID: 999999'],
      [6, [bot.user_id], 'is a bot'],
    ];
    for (const [type, value, message] of cases) {
      const id = await addField(type, type === 3 ? { field_data: options } : {});
      await expect(setOwn(hamlet, id, value)).rejects.toMatchObject(refused(message));
    }
    await expect(setOwn(hamlet, 999_999 as CustomProfileFieldId, 'x')).rejects.toMatchObject(
      refused('Field id 999999 not found.'),
    );
  });

  test('null, an empty text and DELETE remove a value; others learn each change', async () => {
    const person = await chat.addPerson('ben');
    const id = await addField(1);
    const queue = await listen(chat.people.cordelia, { event_types: ['realm_user'] });
    await setOwn(person, id, 'one');
    await setOwn(person, id, '');
    await setOwn(person, id, null);
    await setOwn(person, id, 'two');
    await person.client.customProfileFields.removeOwn({ data: [id] });
    const rendered = (text: string) => ({ id, value: text, rendered_value: `<p>${text}</p>` });
    const values = [rendered('one'), { id, value: null }, rendered('two'), { id, value: null }];
    expect(await queue.all()).toMatchObject(
      values.map((custom_profile_field) => ({
        person: { user_id: person.user.id, custom_profile_field },
      })),
    );
    expect(await profileOf(person)).toEqual({});
  });

  test('only administrators set a field that users may not edit, also for others', async () => {
    const { iago, desdemona } = chat.people;
    const person = await chat.addPerson('carl');
    const id = await addField(1, { editable_by_user: false });
    await expect(setOwn(person, id, 'x')).rejects.toMatchObject(
      refused('You are not allowed to change this field.'),
    );
    await setOwn(desdemona, id, 'x');
    const { id: user_id } = person.user;
    await iago.client.users.update({ user_id, profile_data: [{ id, value: 'set' }] });
    expect(await profileOf(person)).toMatchObject({ [id]: { value: 'set' } });
    await iago.client.users.update({ user_id, profile_data: [{ id, value: '' }] });
    expect(await profileOf(person)).toEqual({});
  });

  test('a removed option is removed from the profiles that had it', async () => {
    const person = await chat.addPerson('dora');
    const id = await addField(3, { field_data: options });
    await setOwn(person, id, 'a');
    const { b } = options;
    await chat.people.iago.client.customProfileFields.update({ field_id: id, field_data: { b } });
    expect(await profileOf(person)).toEqual({});
  });

  test('a value of a field or an option that is removed at the same time is refused', async () => {
    const person = await chat.addPerson('eve');
    const { customProfileFields } = chat.people.iago.client;
    const refuses = (field: CustomProfileFieldId, message: string) =>
      expect(setOwn(person, field, 'a')).rejects.toMatchObject(refused(message));
    const field_id = await addField(3, { field_data: options });
    const { b } = options;
    await commitTogether(chat, [
      () => customProfileFields.update({ field_id, field_data: { b } }),
      () => refuses(field_id, "'a' is not a valid choice for"),
    ]);
    await commitTogether(chat, [
      () => customProfileFields.remove({ field_id }),
      () => refuses(field_id, `Field id ${field_id} not found.`),
    ]);
  });

  test('bots have no profile', async () => {
    const { iago, hamlet } = chat.people;
    const { user_id } = await hamlet.client.bots.create({ full_name: 'Bot', short_name: 'bot' });
    const profile_data = [{ id: await addField(1), value: 'x' }];
    await expect(iago.client.users.update({ user_id, profile_data })).rejects.toMatchObject(
      refused('Bots have no profile.'),
    );
  });
});
