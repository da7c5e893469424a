import { initialUserSettings, type UserSettingName, userSettings } from '@bellhop/protocol';

const named: Partial<Record<UserSettingName, string>> = {
  timezone: 'Asia/Tokyo',
  default_language: 'fr',
};

/** The schema of a choice; the end of a pipe has its values. */
interface Choice {
  readonly def: { values?: unknown[]; entries?: Record<string, unknown>; out?: Choice };
}

/** Another allowed value than the initial one. */
function otherValue(name: UserSettingName): unknown {
  const initial = initialUserSettings[name];
  if (typeof initial === 'boolean') return !initial;
  const { def } = userSettings[name].schema as unknown as Choice;
  const { values, entries = {} } = def.out?.def ?? def;
  const other = (values ?? Object.values(entries)).find((value) => value !== initial);
  return named[name] ?? other ?? Number(initial) + 1;
}

/** A value of each setting that differs from the initial one. */
export const otherValues = (names: readonly UserSettingName[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, otherValue(name)]));

/** Settings as the fields of a form. */
export const asFields = (settings: object): Record<string, string> =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]));
