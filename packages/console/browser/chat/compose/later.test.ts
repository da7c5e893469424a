import { expect, test } from 'vitest';

import { laterChoices, localText, secondsOf } from './later.ts';

/** A local time as a UNIX time in seconds. */
const local = (text: string) => new Date(text).getTime() / 1000;

test('tomorrow and Monday are mornings of the local calendar', () => {
  const friday = laterChoices(new Date('2026-11-27T22:30'));
  const seconds = Object.fromEntries(friday.map((one) => [one.label, one.seconds]));
  expect(seconds).toEqual({
    'In 20 minutes': local('2026-11-27T22:50'),
    'In 1 hour': local('2026-11-27T23:30'),
    'In 3 hours': local('2026-11-28T01:30'),
    'Tomorrow at 9:00': local('2026-11-28T09:00'),
    'Monday at 9:00': local('2026-11-30T09:00'),
  });
});

test('on a Monday the next one is offered, on a Sunday only tomorrow', () => {
  const labels = (text: string) => laterChoices(new Date(text)).map(({ label }) => label);
  expect(laterChoices(new Date('2026-11-30T08:00')).at(-1)?.seconds).toBe(
    local('2026-12-07T09:00'),
  );
  expect(labels('2026-11-29T08:00')).not.toContain('Monday at 9:00');
});

test('a time of the field must be there, and in the future', () => {
  const now = new Date('2026-11-27T22:30');
  expect(secondsOf('2026-11-27T22:31', now)).toBe(local('2026-11-27T22:31'));
  expect(() => secondsOf('2026-11-27T22:30', now)).toThrow('Choose a time in the future.');
  expect(() => secondsOf('', now)).toThrow('Choose a date and a time.');
  expect(localText(local('2026-11-27T22:31'))).toBe('2026-11-27T22:31');
});
