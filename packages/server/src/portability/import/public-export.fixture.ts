import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * An export as a public server writes it: recipients of single people, names of foreign keys without `_id`,
 * policies as numbers, flags in its places, HTML of its own, and tables that this server does not have.
 */
const users = [
  {
    id: 10,
    delivery_email: 'ada@example.com',
    email: 'user10@zulip.example.com',
    full_name: 'Ada',
    can_create_users: true,
    role: 100,
    is_active: true,
    is_bot: false,
    date_joined: 1_500_000_000.5,
    timezone: 'Europe/London',
    avatar_source: 'G',
    bot_type: null,
    bot_owner: null,
    is_mirror_dummy: false,
    password: null,
    api_key: 'k'.repeat(32),
    twenty_four_hour_time: true,
    emojiset: 'google',
    default_language: 'de',
    tos_version: '1',
    enter_sends: 'yes',
  },
  {
    id: 11,
    delivery_email: 'bob@example.com',
    email: 'bob@example.com',
    full_name: 'Bob',
    role: 400,
    is_active: true,
    is_bot: false,
    date_joined: 1_500_000_001,
    timezone: '',
  },
  {
    id: 12,
    delivery_email: 'hook-bot@example.com',
    email: 'hook-bot@example.com',
    full_name: 'Hook',
    role: 400,
    is_active: true,
    is_bot: true,
    bot_type: 3,
    bot_owner: 11,
    date_joined: 1_500_000_002,
    timezone: '',
  },
];
const tables: Readonly<Record<string, readonly object[]>> = {
  // Before the people whom it names, as an order of tables is not promised.
  zerver_subscription: [
    {
      id: 1,
      user_profile: 10,
      recipient: 100,
      active: true,
      is_user_active: true,
      color: '#76ce90',
      is_muted: false,
      pin_to_top: true,
      wildcard_mentions_notify: null,
    },
    {
      id: 2,
      user_profile: 11,
      recipient: 100,
      active: true,
      color: 'not a colour',
      in_home_view: false,
    },
    { id: 3, user_profile: 10, recipient: 110, active: true },
    { id: 4, user_profile: 11, recipient: 111, active: true },
    { id: 5, user_profile: 10, recipient: 120, active: true },
    { id: 6, user_profile: 11, recipient: 120, active: true },
    { id: 7, user_profile: 12, recipient: 120, active: true },
  ],
  zerver_realm: [
    {
      id: 5,
      string_id: 'acme',
      name: 'Acme',
      description: 'We make everything',
      waiting_period_threshold: 2,
      message_edit_history_visibility_policy: 2,
      topics_policy: 3,
      new_stream_announcements_stream: 50,
      can_create_groups: 61,
      video_chat_provider: 3,
      plan_type: 1,
      org_type: 10,
    },
  ],
  zerver_realmuserdefault: [
    { id: 1, realm: 5, enter_sends: true, emojiset: 'google', color_scheme: 9 },
  ],
  zerver_userprofile: users,
  zerver_userprofile_mirrordummy: [
    {
      id: 13,
      delivery_email: 'gone@example.com',
      email: 'gone@example.com',
      full_name: 'Gone',
      role: 400,
      is_active: true,
      is_bot: false,
      is_mirror_dummy: true,
      date_joined: 1_500_000_003,
      timezone: '',
    },
  ],
  zerver_userprofile_crossrealm: [
    { id: 1, email: 'notification-bot@zulip.com', date_joined: 1_400_000_000 },
    { id: 2, email: 'emailgateway@zulip.com' },
  ],
  zerver_client: [{ id: 3, name: 'ZulipMobile' }],
  zerver_usergroup: [60, 61, 62, 63].map((id) => ({ id, realm: 5 })),
  zerver_namedusergroup: [
    {
      id: 60,
      usergroup_ptr: 60,
      realm: 5,
      name: 'role:members',
      is_system_group: true,
      deactivated: false,
    },
    {
      id: 61,
      usergroup_ptr: 61,
      realm: 5,
      name: 'role:owners',
      is_system_group: true,
      deactivated: false,
    },
    {
      id: 62,
      usergroup_ptr: 62,
      realm: 5,
      name: 'Makers',
      description: 'Make',
      is_system_group: false,
      deactivated: false,
      creator: 10,
      date_created: 1_500_000_010,
      can_mention_group: 61,
      can_manage_group: 63,
    },
  ],
  zerver_usergroupmembership: [
    { id: 1, user_group: 62, user_profile: 11 },
    { id: 2, user_group: 63, user_profile: 11 },
    // By role here: an export must not make anybody an owner.
    { id: 3, user_group: 61, user_profile: 11 },
  ],
  zerver_groupgroupmembership: [{ id: 1, supergroup: 61, subgroup: 60 }],
  zerver_stream: [
    {
      id: 50,
      name: 'makers',
      realm: 5,
      description: 'Of **things**',
      rendered_description: '<script>',
      invite_only: false,
      is_web_public: false,
      history_public_to_subscribers: true,
      deactivated: false,
      recipient: 100,
      creator: 10,
      date_created: 1_500_000_020,
      can_send_message_group: 63,
      topics_policy: 1,
      first_message_id: 1000,
    },
    {
      id: 51,
      name: 'old',
      realm: 5,
      description: '',
      invite_only: true,
      deactivated: true,
      date_created: 1_500_000_021,
      stream_post_policy: 2,
    },
  ],
  zerver_defaultstream: [{ id: 1, realm: 5, stream: 50 }],
  zerver_recipient: [
    { id: 100, type: 2, type_id: 50 },
    { id: 101, type: 2, type_id: 51 },
    { id: 110, type: 1, type_id: 10 },
    { id: 111, type: 1, type_id: 11 },
    { id: 120, type: 3, type_id: 7 },
  ],
  zerver_huddle: [{ id: 7, huddle_hash: 'abc' }],
  zerver_realmfilter: [
    {
      id: 1,
      realm: 5,
      pattern: '#(?P<id>[0-9]+)',
      url_template: 'https://example.com/{id}',
      order: 1,
    },
    { id: 2, realm: 5, pattern: '(?P<id>', url_template: 'https://example.com/{id}', order: 2 },
  ],
  zerver_customprofilefield: [
    { id: 1, realm: 5, name: 'Site', hint: '', field_type: 5, field_data: '', order: 1 },
    { id: 2, realm: 5, name: 'Mentor', hint: '', field_type: 6, field_data: '', order: 2 },
  ],
  zerver_customprofilefieldvalue: [
    { id: 1, user_profile: 11, field: 1, value: 'javascript:alert(1)', rendered_value: null },
    { id: 2, user_profile: 11, field: 2, value: '[10]', rendered_value: null },
  ],
  zerver_usertopic: [
    {
      id: 1,
      user_profile: 11,
      stream: 50,
      recipient: 100,
      topic_name: 'wood',
      last_updated: 1_500_000_030,
      visibility_policy: 3,
    },
  ],
  zerver_alertword: [{ id: 1, realm: 5, user_profile: 11, word: 'saw' }],
  zerver_service: [
    {
      id: 1,
      user_profile: 12,
      name: 'hook',
      base_url: 'https://hook.example.com/x',
      interface: 1,
      token: 't'.repeat(32),
    },
  ],
  zerver_reaction: [
    {
      id: 1,
      user_profile: 11,
      message: 1000,
      emoji_name: 'tada',
      emoji_code: '1f389',
      reaction_type: 'unicode_emoji',
    },
    {
      id: 2,
      user_profile: 11,
      message: 1000,
      emoji_name: 'zulip',
      emoji_code: 'zulip',
      reaction_type: 'zulip_extra_emoji',
    },
    {
      id: 3,
      user_profile: 11,
      message: 9999,
      emoji_name: 'tada',
      emoji_code: '1f389',
      reaction_type: 'unicode_emoji',
    },
  ],
  zerver_realmauditlog: [{ id: 1, event_type: 101, extra_data: {} }],
  zerver_useractivity: [],
};

const html = (content: string) => `<p>${content}</p>`;
const message = (id: number, fields: object) => ({
  id,
  realm: 5,
  sender: 10,
  recipient: 100,
  subject: 'wood',
  rendered_content_version: 1,
  date_sent: 1_500_000_100 + id + 0.25,
  sending_client: 3,
  edit_history: null,
  last_edit_time: null,
  has_attachment: false,
  ...fields,
});
const history = [
  {
    user_id: 10,
    timestamp: 1_500_000_200,
    prev_topic: 'steel',
    topic: 'wood',
    prev_stream: 51,
    stream: 50,
  },
  {
    user_id: 99,
    timestamp: 1_500_000_150,
    prev_content: 'A first @**Bob**',
    prev_rendered_content: html('A first <span class="user-mention" data-user-id="11">@Bob</span>'),
    prev_rendered_content_version: 1,
  },
];
// Not in the order of their IDs: older servers write some files so.
const chunks = [
  [
    message(1002, {
      sender: 11,
      content:
        'In #**makers>wood@1000** and https://acme.zulipchat.com/#narrow/channel/50-makers/topic/wood/near/1000, not https://other.example.com/#narrow/channel/50-x',
      rendered_content: html(
        'In <a class="message-link" href="/#narrow/channel/50-makers/topic/wood/near/1000">#makers &gt; wood @ 💬</a>',
      ),
    }),
    message(1003, {
      recipient: 111,
      subject: '',
      content: 'Just you',
      rendered_content: html('Just you'),
    }),
    message(1004, {
      sender: 11,
      recipient: 111,
      subject: '',
      content: 'Myself',
      rendered_content: html('Myself'),
    }),
  ],
  [
    message(1000, {
      content: 'Ask @**Robert** or @*Makers* [plan](/user_uploads/5/ab/XyZ/plan%20b.txt)',
      rendered_content: html(
        '<img src=x onerror=alert(1)>Ask <span class="user-mention" data-user-id="11">@Robert</span> or <span class="user-group-mention" data-user-group-id="62">@Makers</span>',
      ),
      edit_history: JSON.stringify(history),
      last_edit_time: 1_500_000_150.5,
      has_attachment: true,
    }),
    message(1001, {
      sender: 12,
      recipient: 120,
      subject: '',
      content: 'We three',
      rendered_content: html('We three'),
    }),
    message(1005, {
      sender: 1,
      content: 'Ada created makers',
      rendered_content: html('Ada created makers'),
    }),
    message(1006, { sender: 98, content: 'Of nobody', rendered_content: html('Of nobody') }),
  ],
];
const flags = [
  { id: 1, user_profile: 11, message: 1000, flags_mask: 1 + 8 + 64 + 512 },
  { id: 2, user_profile: 10, message: 1000, flags_mask: 1 + 2 },
  { id: 3, user_profile: 10, message: 1003, flags_mask: 1 + 2048 },
  { id: 4, user_profile: 11, message: 1003, flags_mask: 2048 },
  { id: 5, user_profile: 11, message: 1002, flags_mask: 1 + 1024 + 4096 },
  { id: 6, user_profile: 10, message: 1002, flags_mask: 0 },
  { id: 7, user_profile: 10, message: 1001, flags_mask: 0 },
  { id: 8, user_profile: 10, message: 1005, flags_mask: 1 },
  { id: 9, user_profile: 11, message: 1004, flags_mask: 1 },
];

/** Writes the files of such an export. */
export async function writePublicExport(folder: string): Promise<void> {
  const files: Readonly<Record<string, unknown>> = {
    'realm.json': { ...tables, sort_by_date: false, import_source: 'zulip' },
    'messages-000001.json': { zerver_usermessage: flags.slice(4), zerver_message: chunks[0] },
    'messages-000002.json': { zerver_message: chunks[1], zerver_usermessage: flags.slice(0, 4) },
    'attachment.json': {
      zerver_attachment: [
        {
          id: 1,
          realm: 5,
          owner: 10,
          file_name: 'plan b.txt',
          path_id: '5/ab/XyZ/plan b.txt',
          create_time: 1_500_000_090.5,
          size: 6,
          content_type: 'text/plain',
          messages: [1000],
          scheduled_messages: [],
        },
      ],
    },
    'uploads/records.json': [],
    'avatars/records.json': [],
    'emoji/records.json': [],
    'migration_status.json': { zulip_version: '11.2', migrations_by_app: {} },
  };
  for (const [name, value] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), JSON.stringify(value));
  }
  await mkdir(join(folder, 'uploads/5/ab/XyZ'), { recursive: true });
  await writeFile(join(folder, 'uploads/5/ab/XyZ/plan b.txt'), 'Plan B');
}
