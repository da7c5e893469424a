import { type Api, type AskOf, initialUserSettings } from '@bellhop/protocol';

import type { ContractFixture, ContractStage } from '../../contract.fixture.ts';
import type { Person } from '../../test-chat.fixture.ts';

type Settings = AskOf<Api['settings']['update']>;
type Update = ({ client }: Person, settings: Settings) => Promise<unknown>;

const paths: Readonly<Record<string, Update>> = {
  'PATCH /settings': ({ client }, settings) => client.settings.update(settings),
  'PATCH /settings/display': ({ client }, settings) => client.settings.updateDisplay(settings),
  'PATCH /settings/notifications': ({ client }, settings) =>
    client.settings.updateNotifications(settings),
};

/** A change that causes each event of `PATCH /settings` and its older paths. */
const byEvent: Readonly<Record<string, Settings>> = {
  user_settings: { web_font_size_px: 14 },
  update_display_settings: { starred_message_counts: false },
  update_global_notifications: { enable_sounds: false },
  realm_user: { timezone: 'Europe/Prague' },
  presence: { presence_enabled: false },
  subscription: { enable_stream_push_notifications: true },
};

const declaredChanges = Object.entries(paths).flatMap(([route, update]) =>
  Object.entries(byEvent).map(([event, settings]) => [
    `${route} ${event}`,
    async ({ chat }: ContractStage) => {
      const person = await chat.addPerson(nextName());
      await person.client.presence.update({ status: 'active', ping_only: true });
      await person.client.subscriptions.add({ subscriptions: [{ name: 'inheriting' }] });
      return update(person, settings);
    },
  ]),
);

let count = 0;
function nextName(): string {
  count += 1;
  return `setter${count}`;
}

export const fixture: ContractFixture = {
  declared: {
    ...Object.fromEntries(declaredChanges),
    'PATCH /realm/user_settings_defaults realm_user_settings_defaults': ({ chat }) =>
      chat.people.iago.client.settings.updateRealmDefaults({ twenty_four_hour_time: true }),
  },
  changes: {
    'a name, a time zone and settings of every kind changed': ({ people: { hamlet } }) =>
      hamlet.client.settings.update({
        full_name: 'Prince',
        timezone: 'Europe/Copenhagen',
        default_language: 'de',
        color_scheme: 2,
        enable_sounds: !initialUserSettings.enable_sounds,
        user_list_style: 1,
        notification_sound: 'chime',
      }),
    'settings that channels inherit changed': ({ people: { desdemona } }) =>
      desdemona.client.settings.update({
        enable_stream_push_notifications: true,
        wildcard_mentions_notify: false,
      }),
    'the visibility of an address narrowed and widened': async ({ people: { hamlet } }) => {
      for (const email_address_visibility of [3, 2, 5, 4, 2, 1] as const)
        await hamlet.client.settings.update({ email_address_visibility });
    },
    'drafts no longer synchronized': async ({ people: { hamlet } }) => {
      const draft = { type: '' as const, to: [], topic: '', content: 'x' };
      await hamlet.client.drafts.add({ drafts: [draft] });
      for (const enable_drafts_synchronization of [false, true])
        await hamlet.client.settings.update({ enable_drafts_synchronization });
    },
    'defaults of user settings changed': ({ people: { iago } }) =>
      iago.client.settings.updateRealmDefaults({
        email_address_visibility: 3,
        web_home_view: 'recent_topics',
        enable_sounds: false,
      }),
  },
};
