import { z } from 'zod';

import { schemasOf, userSettings, type UserSettingName } from './user-settings.ts';

/** The names that clients of the public API use for the emoji sets. */
const emojisetAliases = {
  google: 'vendor_a',
  twitter: 'vendor_b',
  'google-blob': 'vendor_a-blob',
} as const;

const emojisets = userSettings.emojiset.schema.options;
const Emojiset = z
  .enum([...emojisets, ...(Object.keys(emojisetAliases) as (keyof typeof emojisetAliases)[])])
  .transform((name) => (name in emojisetAliases ? emojisetAliases[name as 'google'] : name))
  .pipe(userSettings.emojiset.schema);

type Schemas = ReturnType<typeof schemasOf<UserSettingName>>;
type SettingParameters<Name extends UserSettingName> = {
  [K in Name]: z.ZodOptional<K extends 'emojiset' ? typeof Emojiset : Schemas[K]>;
};

/** The parameters that set these personal settings; each may be left out. */
export const settingParameters = <Name extends UserSettingName>(names: readonly Name[]) =>
  Object.fromEntries(
    names.map((name) => [
      name,
      (name === 'emojiset' ? Emojiset : userSettings[name].schema).optional(),
    ]),
  ) as unknown as SettingParameters<Name>;

/** The feature levels that added these settings; settings of the first level are left out. */
export const settingsSince = <Name extends UserSettingName>(
  names: readonly Name[],
): { [K in Name]?: number } =>
  Object.fromEntries(
    names.flatMap((name) => {
      const { since }: { schema: z.ZodType; since?: number } = userSettings[name];
      return since === undefined ? [] : [[name, since]];
    }),
  ) as { [K in Name]?: number };
