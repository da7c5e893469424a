import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { clientOf, importInto, moveIn, temporaryFolder } from '../move.fixture.ts';
import { convertSlack, type SlackFindings } from './convert-slack.ts';

const users = [
  {
    id: 'U1',
    name: 'ada',
    is_primary_owner: true,
    is_owner: true,
    tz: 'Europe/London',
    profile: { real_name: 'Ada Lovelace', email: 'Ada@example.com' },
  },
  { id: 'U2', name: 'bob', profile: { real_name: 'Bob *the* Builder', email: 'bob@example.com' } },
  { id: 'U3', name: 'carl', is_ultra_restricted: true, profile: { real_name: 'Carl' } },
  {
    id: 'U4',
    name: 'old',
    deleted: true,
    profile: { real_name: 'Old Ada', email: 'ada@example.com' },
  },
  {
    id: 'U5',
    name: 'gone',
    deleted: true,
    profile: { real_name: 'Gone', email: 'gone@example.com' },
  },
  { id: 'U6', name: 'deploy', is_bot: true, profile: { real_name: 'Deploy', bot_id: 'B6' } },
];
const channels = [
  {
    id: 'C1',
    name: 'general',
    is_general: true,
    created: 1_500_000_000,
    members: ['U1', 'U2', 'U3', 'U9'],
    purpose: { value: 'All of us' },
  },
  { id: 'C2', name: 'old-plans', is_archived: true, members: ['U1'], topic: { value: 'Plans' } },
];
const files: Readonly<Record<string, unknown>> = {
  'users.json': users,
  'channels.json': channels,
  'groups.json': [{ id: 'G1', name: 'board', members: ['U1', 'U2'] }],
  'dms.json': [{ id: 'D1', members: ['U1', 'U2'] }],
  'mpims.json': [{ id: 'M1', name: 'mpdm-ada--bob--carl-1', members: ['U1', 'U2', 'U3'] }],
  'integration_logs.json': [],
  'general/2024-01-02.json': [
    {
      type: 'message',
      subtype: 'channel_join',
      user: 'U1',
      text: '<@U1> has joined the channel',
      ts: '1704196000.000100',
    },
    {
      type: 'message',
      user: 'U1',
      text: 'Hi <@U2>, see <#C2|old-plans> &amp; <https://example.com/a_b_c|the *plan*> or <https://example.com>',
      ts: '1704196001.000200',
      reactions: [
        { name: '+1::skin-tone-3', users: ['U2', 'U3'], count: 2 },
        { name: 'partyparrot', users: ['U2'], count: 1 },
      ],
    },
    {
      type: 'message',
      user: 'U2',
      text: 'Where do we *eat*, _really_?',
      ts: '1704196002.000300',
      thread_ts: '1704196002.000300',
      reply_count: 2,
    },
    {
      type: 'message',
      user: 'U3',
      text: 'Here ~or there~',
      ts: '1704196003.000400',
      thread_ts: '1704196002.000300',
      parent_user_id: 'U2',
      edited: { user: 'U3', ts: '1704196050.000000' },
    },
    {
      type: 'message',
      subtype: 'bot_message',
      bot_id: 'B7',
      username: 'Build',
      text: 'Build <!date^1392734382^{date}|Feb 18> failed <!here>',
      ts: '1704196004.000500',
      attachments: [
        {
          title: 'Log',
          title_link: 'https://ci.example.com/1',
          text: '```\nif (a &lt; b) *fail*\n```',
          fallback: 'no',
        },
      ],
    },
  ],
  'general/2024-01-03.json': [
    {
      type: 'message',
      user: 'U1',
      text: 'Late',
      ts: '1704282400.000100',
      thread_ts: '1704196002.000300',
      parent_user_id: 'U2',
    },
    {
      type: 'message',
      user: 'U2',
      text: '',
      ts: '1704282401.000100',
      files: [
        {
          name: 'menu.pdf',
          title: 'Menu',
          permalink: 'https://acme.slack.com/files/U2/F1/menu.pdf',
          url_private: 'https://files.slack.com/F1/menu.pdf?t=xoxe-secret',
        },
      ],
    },
    { type: 'message', subtype: 'me_message', user: 'U2', text: 'leaves', ts: '1704282402.000100' },
    {
      type: 'message',
      user: 'U6',
      bot_id: 'B6',
      text: 'Deployed `v<https://example.com|1>`',
      ts: '1704282403.000100',
    },
    {
      type: 'message',
      user: 'U8',
      user_profile: { real_name: 'Guest of others' },
      text: 'Hello',
      ts: '1704282404.000100',
    },
    { type: 'message', user: 'U1', text: '', ts: '1704282405.000100' },
    { type: 'message', user: 'U00', text: 'renamed', ts: '1704282406.000100' },
  ],
  'board/2024-01-02.json': [
    { type: 'message', user: 'U1', text: 'Secret', ts: '1704196005.000100' },
  ],
  'D1/2024-01-02.json': [
    { type: 'message', user: 'U2', text: 'Just us, <@U1>', ts: '1704196006.000100' },
  ],
  'mpdm-ada--bob--carl-1/2024-01-02.json': [
    { type: 'message', user: 'U3', text: 'We three', ts: '1704196007.000100' },
  ],
};

async function writeExport(folder: string, changed: Readonly<Record<string, unknown>> = {}) {
  for (const [name, value] of Object.entries({ ...files, ...changed })) {
    if (value === undefined) continue;
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value));
  }
}

async function converted(
  folder: string,
  changed?: Readonly<Record<string, unknown>>,
): Promise<{ to: string; findings: SlackFindings }> {
  const from = join(folder, 'Acme');
  const to = join(folder, 'converted');
  await writeExport(from, changed);
  return { to, findings: await convertSlack({ from, to, progress: () => {} }) };
}

interface Fetched {
  readonly id: number;
  readonly subject: string;
  readonly sender_full_name: string;
  readonly content: string;
  readonly display_recipient: string | readonly { full_name: string }[];
  readonly flags: readonly string[];
  readonly timestamp: number;
  readonly last_edit_timestamp?: number;
  readonly reactions: readonly { emoji_name: string; emoji_code: string; user_id: number }[];
}

async function messagesOf(chat: TestChat, email: string, fields: Record<string, string> = {}) {
  const { body } = await chat.ask((await clientOf(chat, email)) as never, 'GET /messages', {
    anchor: 'oldest',
    num_before: '0',
    num_after: '100',
    apply_markdown: 'false',
    ...fields,
  });
  return body['messages'] as unknown as readonly Fetched[];
}

test('the export of a Slack workspace becomes an organization with people, channels, threads, reactions and direct conversations', async () => {
  await using chat = await startTestChat();
  await using folder = await temporaryFolder();
  const { to, findings } = await converted(folder.path);
  expect(findings).toEqual({
    'people without an address in the export': 1,
    'accounts with the address of another, now one': 1,
    'files, of which the export has only links': 1,
    'reactions with emoji of the workspace, left out': 1,
    'messages without a text, left out': 1,
    'messages of nobody, left out': 1,
  });
  const { counts } = await importInto(chat, to);
  expect(counts).toMatchObject({ channels: 3, messages: 12, reactions: 2, 'people and bots': 7 });
  expect(Object.keys(counts).filter((name) => name.includes('left out'))).toEqual([]);
  await moveIn(chat);

  const ada = await messagesOf(chat, 'ada@example.com');
  const shown = ada.map(({ display_recipient: to_, subject, sender_full_name, content }) => [
    typeof to_ === 'string' ? to_ : to_.map(({ full_name }) => full_name).join(),
    subject,
    sender_full_name,
    content.replaceAll(/\|\d+\*\*/g, '|ID**'),
  ]);
  const bob = 'Bob  the  Builder';
  const thread = '2024-01-02 Where do we eat , really ?';
  expect(shown).toEqual([
    [
      'general',
      'imported from Slack',
      'Ada Lovelace',
      `Hi @**${bob}|ID**, see #**old-plans** & [the *plan*](https://example.com/a_b_c) or https://example.com`,
    ],
    ['general', thread, bob, 'Where do we **eat**, *really*?'],
    ['general', thread, 'Carl', 'Here ~~or there~~'],
    [
      'general',
      'imported from Slack',
      'Build',
      'Build Feb 18 failed @**all**\n\n[Log](https://ci.example.com/1)\n```\nif (a < b) *fail*\n```',
    ],
    ['board', 'imported from Slack', 'Ada Lovelace', 'Secret'],
    [`Ada Lovelace,${bob}`, '', bob, 'Just us, @**Ada Lovelace|ID**'],
    [`Ada Lovelace,${bob},Carl`, '', 'Carl', 'We three'],
    ['general', thread, 'Ada Lovelace', 'Late'],
    ['general', 'imported from Slack', bob, '[Menu](https://acme.slack.com/files/U2/F1/menu.pdf)'],
    ['general', 'imported from Slack', bob, '/me leaves'],
    ['general', 'imported from Slack', 'Deploy', 'Deployed `v1`'],
    ['general', 'imported from Slack', 'Guest of others', 'Hello'],
  ]);
  expect(ada[0]?.reactions.map(({ emoji_name, emoji_code }) => [emoji_name, emoji_code])).toEqual([
    ['+1', '1f44d'],
    ['+1', '1f44d'],
  ]);
  expect([ada[0]?.timestamp, ada[2]?.last_edit_timestamp]).toEqual([1_704_196_001, 1_704_196_050]);
  expect(ada.every(({ flags }) => flags.includes('read'))).toBe(true);
  expect(ada[5]?.flags).toEqual(['read', 'mentioned']);

  const rendered = await messagesOf(chat, 'bob@example.com', { apply_markdown: 'true' });
  expect(rendered[0]?.content).toMatch(
    /^<p>Hi <span class="user-mention" data-user-id="\d+">@Bob {2}the {2}Builder<\/span>, see <a class="stream" data-stream-id="\d+"/,
  );
  expect(rendered[0]?.flags).toEqual(['read', 'mentioned']);

  const { client } = await clientOf(chat, 'ada@example.com');
  const { members } = await client.users.list({});
  const listed = members.map(({ full_name, role, is_active, is_bot }) => ({
    full_name,
    role,
    is_active,
    is_bot,
  }));
  expect(listed).toContainEqual({
    full_name: 'Ada Lovelace',
    role: 100,
    is_active: true,
    is_bot: false,
  });
  expect(listed).toContainEqual({ full_name: 'Carl', role: 600, is_active: true, is_bot: false });
  expect(listed).toContainEqual({ full_name: 'Gone', role: 400, is_active: false, is_bot: false });
  expect(listed).toContainEqual({ full_name: 'Deploy', role: 400, is_active: true, is_bot: true });
  expect(listed).toContainEqual({ full_name: 'Build', role: 400, is_active: false, is_bot: true });

  // Carl is in no private channel, and in one conversation.
  const emails = await chat.server.app.db.kysely
    .selectFrom('realm_user')
    .select('delivery_email')
    .where('full_name', '=', 'Carl')
    .execute();
  const carl = await messagesOf(chat, emails[0]?.delivery_email ?? '');
  expect(carl.map(({ content }) => content)).not.toContain('Secret');
  expect(carl.map(({ content }) => content)).toContain('We three');
});

test('an import of a Slack export that was interrupted continues after another conversion', async () => {
  await using chat = await startTestChat();
  await using first = await temporaryFolder();
  await using second = await temporaryFolder();
  const stop = new AbortController();
  const progress = ({ what }: { what: string }) => {
    if (what === 'subscriptions and conversations') stop.abort();
  };
  const { to } = await converted(first.path);
  await expect(importInto(chat, to, { signal: stop.signal, progress })).rejects.toThrow();
  const again = await converted(second.path);
  expect((await importInto(chat, again.to)).counts).toMatchObject({
    messages: 12,
    'people and bots': 7,
  });
});

test.for([
  ['users.json that lists nobody', 'users.json', [], 'users.json of the export lists nobody.'],
  ['users.json that is cut off', 'users.json', '{"users"', 'users.json is cut off'],
  [
    'message without a time',
    'general/2024-01-02.json',
    [{ type: 'message', user: 'U1', text: 'x' }],
    'general/2024-01-02.json has a message without a time (ts).',
  ],
  [
    'list of texts',
    'general/2024-01-02.json',
    ['x'],
    '2024-01-02.json is no list of records of an export.',
  ],
] as const)('a Slack export with a %s is refused', async ([, name, value, message]) => {
  await using folder = await temporaryFolder();
  await expect(converted(folder.path, { [name]: value })).rejects.toThrow(message);
});

test('a Slack export without channels is refused', async () => {
  await using folder = await temporaryFolder();
  const none = {
    'channels.json': [],
    'groups.json': undefined,
    'dms.json': undefined,
    'mpims.json': undefined,
  };
  await expect(converted(folder.path, none)).rejects.toThrow(
    'channels.json is missing in the export, or lists no channel.',
  );
});
