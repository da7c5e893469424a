import { expect, test } from 'vitest';

import { startTestChat } from '../../test-chat.fixture.ts';
import { clientOf, importInto, moveIn, temporaryFolder } from '../move.fixture.ts';
import { writePublicExport } from './public-export.fixture.ts';

interface Fetched {
  readonly id: number;
  readonly subject: string;
  readonly sender_full_name: string;
  readonly content: string;
  readonly timestamp: number;
  readonly client: string;
  readonly flags: readonly string[];
  readonly last_edit_timestamp?: number;
  readonly edit_history?: readonly Record<string, unknown>[];
  readonly reactions: readonly { emoji_name: string }[];
}

test('the export of a public server becomes an organization with what its form has', async () => {
  await using chat = await startTestChat();
  await using folder = await temporaryFolder();
  await writePublicExport(folder.path);
  const { counts } = await importInto(chat, folder.path, {
    formerUrl: 'https://acme.zulipchat.com',
  });
  expect(counts).toMatchObject({
    'people and bots': 4,
    channels: 2,
    groups: 2,
    subscriptions: 2,
    messages: 6,
    files: 1,
    reactions: 2,
    'webhooks of bots': 1,
    'linkifiers left out': 1,
    'reactions left out': 1,
    'values of profiles left out': 1,
    'messages left out: nobody is left who sent them, or no place': 1,
  });
  const granted = chat.server.app.db.kysely
    .selectFrom('realm_user')
    .select('full_name')
    .where('can_create_users', '=', true)
    .where('realm_id', '<>', chat.realm.id);
  expect(await granted.execute()).toEqual([]);
  await moveIn(chat);
  const ada = await clientOf(chat, 'ada@example.com');
  const bob = await clientOf(chat, 'bob@example.com');
  const ask = async (person: typeof ada, route: string, fields: Record<string, string> = {}) =>
    (await chat.ask(person as never, route, fields)).body;
  const fetched = async (person: typeof ada, apply_markdown: 'true' | 'false') =>
    (
      await ask(person, 'GET /messages', {
        anchor: 'oldest',
        num_before: '0',
        num_after: '100',
        apply_markdown,
      })
    )['messages'] as unknown as readonly Fetched[];

  const [first, ...others] = await fetched(ada, 'false');
  const { attachments } = (await ask(ada, 'GET /attachments')) as unknown as {
    attachments: { path_id: string; message_ids: number[]; create_time: number }[];
  };
  const path = `/user_uploads/${attachments[0]?.path_id}`;
  expect(first).toMatchObject({
    subject: 'wood',
    content: `Ask @**Robert** or @*Makers* [plan](${path})`,
    timestamp: 1_500_001_100,
    client: 'ZulipMobile',
    flags: ['read', 'starred'],
    last_edit_timestamp: 1_500_000_150,
  });
  expect(attachments).toMatchObject([{ message_ids: [first?.id], create_time: 1_500_000_090 }]);
  expect(first?.reactions.map(({ emoji_name }) => emoji_name)).toEqual(['tada', 'zulip']);
  expect(
    others.map(({ content, sender_full_name }) => [sender_full_name, content.slice(0, 12)]),
  ).toEqual([
    ['Hook', 'We three'],
    ['Bob', 'In #**makers'],
    ['Ada', 'Just you'],
    ['Notification Bot', 'Ada created '],
  ]);
  const link = `#narrow/channel/${await channelId()}-makers/topic/wood/near/${first?.id}`;
  expect(others[1]?.content).toBe(
    `In #**makers>wood@${first?.id}** and http://moved.chat.test/${link}, not https://other.example.com/#narrow/channel/50-x`,
  );

  // Rendered here: no HTML of the export, and each name means who was meant.
  const [shown] = await fetched(bob, 'true');
  const { members } = (await ask(ada, 'GET /users')) as unknown as {
    members: {
      user_id: number;
      full_name: string;
      bot_owner_id: number | null;
      is_active: boolean;
    }[];
  };
  const idOf = (name: string) => members.find(({ full_name }) => full_name === name)?.user_id;
  expect(shown?.content).toMatch(
    new RegExp(
      `^<p>Ask <span class="user-mention" data-user-id="${idOf('Bob')}">@Robert</span> or <span class="user-group-mention" data-user-group-id="\\d+">@Makers</span> <a href="${path}">plan</a></p>$`,
    ),
  );
  expect(shown?.flags).toEqual(['read', 'mentioned', 'has_alert_word']);
  expect(members.find(({ full_name }) => full_name === 'Hook')?.bot_owner_id).toBe(idOf('Bob'));
  expect(members.find(({ full_name }) => full_name === 'Gone')?.is_active).toBe(false);

  const { message_history } = (await ask(ada, `GET /messages/${first?.id}/history`)) as unknown as {
    message_history: { content: string; topic: string; user_id: number | null }[];
  };
  expect(message_history.map(({ topic }) => topic)).toEqual(['steel', 'wood']);

  const state = (await ask(bob, 'POST /register', {
    fetch_event_types: JSON.stringify([
      'realm',
      'subscription',
      'realm_user_groups',
      'user_topic',
      'alert_words',
      'user_settings',
      'realm_user_settings_defaults',
      'realm_linkifiers',
    ]),
  })) as Record<string, unknown>;
  expect(state).toMatchObject({
    realm_description: 'We make everything',
    realm_waiting_period_threshold: 2,
    realm_message_edit_history_visibility_policy: 'moves',
    realm_topics_policy: 'disable_empty_topic',
    realm_new_stream_announcements_stream_id: await channelId(),
    realm_video_chat_provider: 0,
    alert_words: ['saw'],
    user_topics: [{ topic_name: 'wood', visibility_policy: 3 }],
    realm_user_settings_defaults: { enter_sends: true, color_scheme: 1 },
    subscriptions: [
      {
        name: 'makers',
        color: '#c2c2c2',
        is_muted: true,
        rendered_description: '<p>Of <strong>things</strong></p>',
      },
    ],
  });
  const groups = state['realm_user_groups'] as {
    name: string;
    members: number[];
    direct_subgroup_ids: number[];
    id: number;
  }[];
  expect(groups.find(({ name }) => name === 'Makers')?.members).toEqual([idOf('Bob')]);
  expect(groups.find(({ name }) => name === 'role:owners')?.members).toEqual([idOf('Ada')]);
  expect(groups.find(({ name }) => name === 'role:owners')?.direct_subgroup_ids).toEqual([]);
  const sends = (state['subscriptions'] as { can_send_message_group: unknown }[])[0];
  expect(sends?.can_send_message_group).toEqual({
    direct_members: [idOf('Bob')],
    direct_subgroups: [],
  });
  const { settings } = {
    settings: (await ask(ada, 'POST /register', { fetch_event_types: '["user_settings"]' }))[
      'user_settings'
    ],
  };
  expect(settings).toMatchObject({
    twenty_four_hour_time: true,
    timezone: 'Europe/London',
    default_language: 'de',
    enter_sends: false,
  });

  async function channelId(): Promise<number> {
    return Number((await ask(ada, 'GET /get_stream_id', { stream: 'makers' }))['stream_id']);
  }
});
