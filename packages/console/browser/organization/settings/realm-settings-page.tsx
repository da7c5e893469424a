import {
  type GroupSetting,
  type InitialState,
  isOwnersSetting,
  type RealmGroupSetting,
  realmGroupSettings,
  realmSettings,
  type RealmSettingName,
} from '@bellhop/protocol';

import { channelsOf } from '../channels/channels-of.ts';
import type { FieldKind, FieldValue } from '../frame/field-input.tsx';
import { PageFrame } from '../frame/page-frame.tsx';
import { SavedField } from '../frame/saved-field.tsx';
import { PermissionField } from '../groups/permission-field.tsx';
import type { PageProps } from '../page.ts';
import { kindOf } from './kind-of.ts';
import { RealmImages } from './realm-images.tsx';
import {
  realmPermissionLabels,
  realmSettingGroups,
  realmValueNames,
} from './realm-setting-labels.ts';
import { SettingSections } from './setting-sections.tsx';

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** Settings and permissions of the organization: those that the reader may change. */
export function RealmSettingsPage({ page, account, state, rights }: PageProps) {
  const { realms } = account.client;
  const mayChange = (name: RealmSettingName | RealmGroupSetting) =>
    rights.isOwner || !isOwnersSetting(name);
  const valueOf = (name: string) => state[`realm_${name}` as keyof InitialState];
  const sections = Object.entries(realmSettingGroups).map(([title, labels]) => ({
    title,
    settings: (Object.entries(labels) as [RealmSettingName, string][])
      .filter(([name]) => mayChange(name))
      .map(([name, label]) => ({
        name,
        label,
        field: (
          <SavedField
            label={label}
            hint={hintOf(name)}
            kind={fieldOf(name, state)}
            value={shownValue(name, valueOf(name) as FieldValue)}
            save={(value) => realms.update({ [name]: sentValue(name, value) })}
          />
        ),
      })),
  }));
  const permissions = realmGroupSettings.map((name) => ({
    name,
    label: realmPermissionLabels[name],
    field: (
      <PermissionField
        state={state}
        of="realm"
        name={name}
        label={realmPermissionLabels[name]}
        value={valueOf(name) as GroupSetting}
        save={mayChange(name) ? (change) => realms.update({ [name]: change }) : undefined}
      />
    ),
  }));
  return (
    <PageFrame page={page}>
      <RealmImages account={account} state={state} />
      <SettingSections sections={[...sections, { title: 'Permissions', settings: permissions }]} />
    </PageFrame>
  );
}

const isLimit = (name: RealmSettingName) => name.endsWith('_limit_seconds');

function fieldOf(name: RealmSettingName, state: InitialState): FieldKind {
  if (name.endsWith('_stream_id') || name.endsWith('_channel_id'))
    return { kind: 'choice', options: channelOptions(state) };
  if (name === 'digest_weekday')
    return {
      kind: 'choice',
      options: weekdays.map((label, value) => ({ value, label })),
    };
  if (name === 'description' || name === 'welcome_message_custom_text')
    return { kind: 'text', maxLength: name === 'description' ? 1000 : 8000, isLong: true };
  if (isLimit(name) || name === 'message_retention_days') return { kind: 'number', min: 1 };
  return kindOf(realmSettings[name].schema, realmValueNames[name]);
}

const channelOptions = (state: InitialState) => [
  { value: -1, label: 'None' },
  ...channelsOf(state)
    .filter(({ is_archived }) => !is_archived)
    .map(({ stream_id, name }) => ({ value: stream_id as number, label: `#${name}` })),
];

const hintOf = (name: RealmSettingName) =>
  isLimit(name) || name === 'message_retention_days' ? 'Leave empty for no limit' : undefined;

/** Messages that are kept for ever have -1 in the state. */
const shownValue = (name: RealmSettingName, value: FieldValue): FieldValue =>
  name === 'message_retention_days' && value === -1 ? null : value;

/** The value in the form of `PATCH /realm`. */
function sentValue(name: RealmSettingName, value: FieldValue): FieldValue {
  const hasNone = value === null || Number.isNaN(value);
  if ((isLimit(name) || name === 'message_retention_days') && hasNone) return 'unlimited';
  return name === 'jitsi_server_url' && value === '' ? 'default' : value;
}
