import type { CustomProfileField, CustomProfileFieldId } from '@bellhop/protocol';
import { expect, test } from 'vitest';

import { accountOf, optionsIn, optionsText } from './profile-field-data.ts';

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
