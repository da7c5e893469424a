import {
  realmDefaultNames,
  userSettingNames,
  userSettings,
  type UserSettingName,
} from '@bellhop/protocol';

import type { FieldKind, FieldValue } from '../frame/field-input.tsx';
import { PageFrame } from '../frame/page-frame.tsx';
import { SavedField } from '../frame/saved-field.tsx';
import type { PageProps } from '../page.ts';
import { AccountSection } from './account-section.tsx';
import { kindOf } from './kind-of.ts';
import { SettingSections, type SettingSection } from './setting-sections.tsx';
import {
  userFieldLimits,
  userSettingGroups,
  userSettingTexts,
  userValueNames,
} from './user-setting-labels.ts';

interface Values {
  readonly names: readonly UserSettingName[];
  readonly values: Readonly<Record<string, unknown>>;
  readonly save: (change: Readonly<Record<string, FieldValue>>) => Promise<unknown>;
}

/** A field for each of some settings, made from the table of the contract. */
const sectionsOf = ({ names, values, save }: Values): readonly SettingSection[] =>
  Object.entries(userSettingGroups).map(([title, labels]) => ({
    title,
    text: userSettingTexts[title],
    settings: (Object.entries(labels) as [UserSettingName, string][])
      .filter(([name]) => names.includes(name) && name in values)
      .map(([name, label]) => ({
        name,
        label,
        field: (
          <SavedField
            label={label}
            kind={fieldKindOf(name)}
            value={values[name] as FieldValue}
            save={(value) => save({ [name]: value })}
          />
        ),
      })),
  }));

function fieldKindOf(name: UserSettingName): FieldKind {
  const kind = kindOf(userSettings[name].schema, userValueNames[name]);
  return kind.kind === 'number' ? { ...kind, ...userFieldLimits[name] } : kind;
}

/** One's own settings. */
export function OwnSettingsPage(props: PageProps) {
  const { account, state } = props;
  const sections = sectionsOf({
    names: userSettingNames,
    values: state.user_settings ?? {},
    save: (change) => account.client.settings.update(change),
  });
  return (
    <PageFrame page={props.page}>
      <AccountSection {...props} />
      <SettingSections sections={sections} />
    </PageFrame>
  );
}

/** The default settings of new users. */
export function DefaultSettingsPage({ page, account, state }: PageProps) {
  const sections = sectionsOf({
    names: realmDefaultNames,
    values: state.realm_user_settings_defaults ?? {},
    save: (change) => account.client.settings.updateRealmDefaults(change),
  });
  return (
    <PageFrame page={page}>
      <SettingSections sections={sections} />
    </PageFrame>
  );
}
