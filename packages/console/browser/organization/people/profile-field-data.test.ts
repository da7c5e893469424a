import type { CustomProfileField, CustomProfileFieldId } from '@bellhop/protocol';
import { expect, test } from 'vitest';

import { accountOf, optionsIn, optionsText, profileValues } from './profile-field-data.ts';

const field: CustomProfileField = {
  id: 1 as CustomProfileFieldId,
  name: 'Team',
  type: 3,
  hint: '',
  order: 1,
  required: false,
  editable_by_user: true,
  field_data: JSON.stringify({
    '7': { text: 'Kitchen', order: '2' },
    '0': { text: 'Desk', order: '1' },
  }),
};

test('an option keeps its key when others are added, removed or moved', () => {
  expect(optionsText(field)).toBe('Desk\nKitchen');
  expect(optionsIn('Kitchen\nBar\n\n Bar \nDoor', field)).toEqual({
    '7': { text: 'Kitchen', order: '1' },
    '1': { text: 'Bar', order: '2' },
    '2': { text: 'Door', order: '3' },
  });
  expect(optionsIn('Desk', undefined)).toEqual({ '0': { text: 'Desk', order: '1' } });
});

test('a field that is no external account has a custom pattern to give', () => {
  expect(accountOf(field)).toEqual({ subtype: 'custom' });
  const field_data = '{"subtype":"github"}';
  expect(accountOf({ ...field, type: 7, field_data })).toEqual({ subtype: 'github' });
});

test('the profile of a user has the options and the people that they chose by name', () => {
  const people = { ...field, id: 2 as CustomProfileFieldId, name: 'Mentor', type: 6 as const };
  const state = {
    custom_profile_fields: [field, people, { ...people, id: 3, name: 'Empty' }],
    realm_users: [{ user_id: 9, full_name: 'Ada Byron' }],
  };
  const profile_data = { '1': { value: '7' }, '2': { value: '[9]' } };
  expect(profileValues(state as never, { profile_data })).toEqual([
    { name: 'Team', text: 'Kitchen' },
    { name: 'Mentor', text: 'Ada Byron' },
  ]);
});
