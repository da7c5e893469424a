import { createClient } from '@bellhop/client';
import type { MessageId } from '@bellhop/protocol';
import { payloadCipher } from '@bellhop/push-crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { imageOf } from '../images/images.fixture.ts';
import { addChannel } from '../resources/channels/channels.fixture.ts';
import { startScriptedBouncer } from '../resources/devices/scripted-bouncer.fixture.ts';
import type { TestChat } from '../test-chat.fixture.ts';
import { type LimitedTable, type ListLimit, listLimits } from './list-limits.ts';

let stack: Awaited<ReturnType<typeof startScriptedBouncer>>;
let chat: TestChat;
let bot: ReturnType<typeof createClient>;
let message_id: MessageId;
beforeAll(async () => {
  stack = await startScriptedBouncer();
  ({ chat } = stack);
  const { hamlet, iago } = chat.people;
  const { api_key } = await hamlet.client.bots.create({ full_name: 'Bot', short_name: 'lists' });
  bot = createClient({ url: chat.url, email: 'lists-bot@chat.test', apiKey: api_key });
  await addChannel(chat, { name: 'verona', subscribers: [hamlet, iago] });
  message_id = (await hamlet.client.messages.send(toVerona)).id;
});
afterAll(() => stack[Symbol.asyncDispose]());

const toVerona = { type: 'channel', to: 'verona', topic: 'x', content: 'x' } as const;
let made = 0;
/** A name that nothing has yet. */
const next = () => `thing${++made}`;
const png = await imageOf('png', 9, 9);
const file = () => new File([new Uint8Array(png)], 'a.png');
const person = (name: 'hamlet' | 'iago' | 'cordelia' | 'desdemona') => chat.people[name].client;
const verona = async () => (await person('hamlet').channels.id({ stream: 'verona' })).stream_id;
const later = () => Math.floor(Date.now() / 1000) + 86_400;
const registerPhone = () =>
  person('hamlet').devices.registerPush({
    token_kind: 'fcm',
    push_account_id: BigInt(++made),
    push_public_key: payloadCipher.createKey().push_key,
    bouncer_public_key: 'the key of the bouncer',
    encrypted_push_registration: payloadCipher.createKey().push_key,
  });
const createChannel = (by: 'hamlet' | 'iago', is_default_stream = false) =>
  person(by).channels.create({ name: next(), subscribers: [], is_default_stream });
const createGroup = (by: 'desdemona' | 'iago') =>
  person(by).userGroups.create({ name: next(), description: '', members: [] });
const react = (emoji_name: string) => person('hamlet').reactions.add({ message_id, emoji_name });
const remind = () =>
  person('hamlet').reminders.add({ message_id, scheduled_delivery_timestamp: later() });
const schedule = () =>
  person('hamlet').scheduledMessages.add({
    type: 'direct',
    to: [chat.people.hamlet.user.id],
    content: 'x',
    scheduled_delivery_timestamp: later(),
  });
/** SQL of the ID of a bot of Hamlet. */
const ofBot = `(select id from realm_user where delivery_email like 'lists-bot@%')`;
const emojiNames = ['smile', 'tada', 'heart', 'wave', 'fire', 'eyes', 'rocket', '+1'];

interface Case {
  /** Adds one entry to the list. */
  readonly add: () => Promise<unknown>;
  /** SQL of what the copies of an entry have instead, by column; `i` is the number of the copy. */
  readonly copies: Readonly<Record<string, string>>;
  /** SQL that makes a copy count no longer. Default: it is deleted. */
  readonly forget?: string;
  /** Makes what the copies refer to. */
  readonly before?: () => Promise<unknown>;
}
const byId = (columns: Record<string, string> = {}) => ({ id: '1000000 + i', ...columns });
const named = byId({ name: `'copy ' || i` });

/** For each limit, in the order of `listLimits`. */
const cases: Readonly<Record<LimitedTable, readonly Case[]>> = {
  alert_word: [
    {
      add: () => person('hamlet').alertWords.add({ alert_words: [next()] }),
      copies: { word: `'copy ' || i` },
    },
  ],
  bot_storage: [
    {
      add: () => bot.botStorage.put({ storage: { [next()]: '' } }),
      copies: { key: `'copy ' || i` },
    },
  ],
  bot_topic: [
    {
      add: async () => bot.botTopics.subscribe({ stream_id: await verona(), topic: next() }),
      copies: { topic: `'copy ' || i` },
    },
  ],
  channel: [
    { add: () => createChannel('hamlet'), copies: named },
    { add: () => createChannel('iago'), copies: { ...named, creator_id: 'null' } },
    {
      add: () => createChannel('iago', true),
      copies: { ...named, creator_id: 'null' },
    },
  ],
  channel_folder: [
    { add: () => person('iago').channelFolders.create({ name: next() }), copies: named },
  ],
  client_device: [
    {
      // One that gets no pushes would make room.
      add: async () => {
        await person('hamlet').devices.registerClientDevice();
        await sql`update client_device set push_token_id = '8 bytes.', token_kind = 'fcm'`.execute(
          chat.server.app.db.kysely,
        );
      },
      copies: byId(),
    },
  ],
  custom_profile_field: [
    {
      add: () => person('iago').customProfileFields.add({ name: next(), field_type: 1 }),
      copies: named,
    },
  ],
  default_channel_group: [
    {
      add: () =>
        person('iago').defaultChannelGroups.create({
          group_name: next(),
          description: '',
          stream_names: [],
        }),
      copies: named,
    },
  ],
  default_channel_group_channel: [
    {
      before: async () => {
        const group = { group_name: 'play', description: '', stream_names: ['verona'] };
        await person('iago').defaultChannelGroups.create(group);
        await copy('channel', 500, { copies: named });
      },
      add: async () => {
        const name = next();
        await addChannel(chat, { name, subscribers: [] });
        const { id: group_id } = await chat.server.app.db.kysely
          .selectFrom('default_channel_group')
          .select('id')
          .where('name', '=', 'play')
          .executeTakeFirstOrThrow();
        const change = { group_id, op: 'add' as const, stream_names: [name] };
        await person('iago').defaultChannelGroups.updateChannels(change);
      },
      copies: { channel_id: '1000000 + i' },
    },
  ],
  draft: [
    {
      add: () =>
        person('hamlet').drafts.add({ drafts: [{ type: '', to: [], topic: '', content: 'x' }] }),
      copies: byId(),
    },
  ],
  invite: [
    {
      add: () => person('iago').invites.createLink({}),
      copies: byId({ token_mac: `'\\x' || md5('copy ' || i)` }),
    },
  ],
  linkifier: [
    {
      add: () =>
        person('iago').linkifiers.add({
          pattern: `${next()}-(?P<id>[0-9]+)`,
          url_template: 'https://example.com/{id}',
        }),
      copies: byId({ pattern: `'copy' || i || '-(?P<id>[0-9]+)'` }),
    },
  ],
  muted_user: [
    {
      before: () =>
        copy('realm_user', 1001, {
          copies: {
            id: '2000000 + i',
            delivery_email: `'muted' || i || '@chat.test'`,
            api_key_mac: `'\\x' || md5('muted ' || i)`,
            bot_owner_id: 'null',
          },
        }),
      add: async () => {
        const { user } = await chat.addPerson(next());
        await person('hamlet').mutedUsers.add({ user_id: user.id });
      },
      copies: { muted_user_id: '2000000 + i' },
    },
  ],
  navigation_view: [
    {
      add: () => {
        const name = next();
        return person('hamlet').navigationViews.add({ fragment: name, name, is_pinned: false });
      },
      copies: byId({ name: `'copy ' || i`, fragment: `'copy ' || i` }),
    },
  ],
  playground: [
    {
      add: () =>
        person('iago').playgrounds.add({
          name: next(),
          highlighter_language: 'rust',
          url_template: 'https://example.com/{code}',
        }),
      copies: named,
    },
  ],
  push_device: [{}, { error_code: `'REQUEST_EXPIRED'` }].map((columns) => ({
    add: registerPhone,
    copies: byId({ push_account_id: '1000000 + i', ...columns }),
  })),
  reaction: [
    {
      add: () => react(emojiNames.pop() ?? ''),
      copies: byId({ emoji_code: `'copy ' || i` }),
    },
    {
      add: () => react(emojiNames.pop() ?? ''),
      copies: byId({ emoji_code: `'copy ' || i`, user_id: `(select min(id) from realm_user)` }),
    },
  ],
  realm_domain: [
    {
      add: () =>
        person('desdemona').realmDomains.add({
          domain: `${next()}.example.com`,
          allow_subdomains: false,
        }),
      copies: byId({ domain: `'copy' || i || '.example.com'` }),
    },
  ],
  realm_emoji: [
    {
      add: () => person('iago').realmEmoji.upload({ emoji_name: next() }, { file: file() }),
      copies: byId({ name: `'copy' || i` }),
    },
    {
      add: () => person('iago').realmEmoji.upload({ emoji_name: next() }, { file: file() }),
      copies: byId({
        name: `'copy' || i`,
        author_id: `(select id from realm_user where delivery_email like 'hamlet@%')`,
      }),
    },
  ],
  realm_user: [
    {
      add: () => {
        const short_name = next();
        return person('hamlet').bots.create({ full_name: short_name, short_name });
      },
      copies: {
        ...byId({ delivery_email: `'copy' || i || '@chat.test'`, full_name: `'copy ' || i` }),
        api_key_mac: `'\\x' || md5('copy ' || i)`,
        is_active: 'false',
      },
    },
  ],
  reminder: [
    { add: () => remind(), copies: byId() },
    { add: () => remind(), copies: byId({ user_id: ofBot }) },
  ],
  saved_snippet: [
    { add: () => person('hamlet').savedSnippets.add({ title: 'x', content: 'x' }), copies: byId() },
  ],
  scheduled_message: [
    { add: () => schedule(), copies: byId() },
    { add: () => schedule(), copies: byId({ sender_id: ofBot }) },
  ],
  upload: [
    {
      add: () => person('hamlet').uploads.create({}, { file: new File(['x'], 'x.txt') }),
      copies: byId({ token: `'copy ' || i` }),
    },
  ],
  user_group: [
    // Many tables refer to a group: deleting thousands takes minutes.
    { add: () => createGroup('desdemona'), copies: named, forget: 'name = null' },
    {
      add: () => createGroup('iago'),
      copies: { id: '2000000 + i', name: `'copy ' || i`, creator_id: 'null' },
      forget: 'name = null',
    },
  ],
  user_message: [
    {
      add: async () => {
        const { id } = await person('hamlet').messages.send(toVerona);
        await person('hamlet').messages.setFlag({ messages: [id], op: 'add', flag: 'starred' });
      },
      copies: { message_id: '1000000 + i' },
    },
  ],
  user_topic: [
    {
      add: async () =>
        person('hamlet').userTopics.set({
          stream_id: await verona(),
          topic: next(),
          visibility_policy: 3,
        }),
      copies: { topic: `'copy ' || i` },
    },
  ],
};

/** The condition that `t` is the row of the newest transaction. */
const newest = (table: LimitedTable) =>
  sql`t.ctid = (select ctid from ${sql.table(table)} order by xmin::text::bigint desc, ctid desc limit 1)`;

/** Inserts copies of the newest row of a table; returns a function that removes them. */
async function copy(
  table: LimitedTable,
  count: number,
  { copies: columns, forget }: Pick<Case, 'copies' | 'forget'>,
): Promise<(most?: number) => Promise<unknown>> {
  const db = chat.server.app.db.kysely;
  const { rows } = await sql<{ name: string; is_identity: string }>`
    select column_name as name from information_schema.columns
    where table_schema = current_schema and table_name = ${table} and is_generated = 'NEVER'
    order by ordinal_position`.execute(db);
  const names = sql.raw(rows.map(({ name }) => `"${name}"`).join(', '));
  const entries = Object.entries(columns).map(([name, value]) => `'${name}', ${value}`);
  await sql`insert into ${sql.table(table)} (${names}) overriding system value
    select ${sql.raw(rows.map(({ name }) => `r."${name}"`).join(', '))}
    from ${sql.table(table)} t cross join generate_series(1, ${count}) i cross join lateral
      jsonb_populate_record(t, jsonb_build_object(${sql.raw(entries.join(', '))})) r
    where ${newest(table)}`.execute(db);
  // The first column of which a copy has its own value tells it from others.
  const [[key, value] = ['', '']] = Object.entries(columns);
  const from = /^(\d000000) \+ i$/.exec(value)?.[1];
  const isCopy = sql.raw(
    from ? `"${key}" between ${from} and ${from} + 999999` : `"${key}"::text like 'copy%'`,
  );
  const start = forget
    ? sql`update ${sql.table(table)} set ${sql.raw(forget)}`
    : sql`delete from ${sql.table(table)}`;
  return (most = count) =>
    sql`${start} where ctid = any(array(
      select ctid from ${sql.table(table)} where ${isCopy} limit ${most}))`.execute(db);
}

/** The rows of the list to which the newest row belongs. */
async function lengthOf(table: LimitedTable, limit: ListLimit): Promise<number> {
  const distinct = limit.distinct?.map((column) => `l.${column}`).join(', ');
  const same = limit.of.map((column) => `and l."${column}" = t."${column}"`).join(' ');
  const { rows } = await sql<{ length: number }>`
    select count(${sql.raw(distinct ? `distinct (${distinct})` : '*')})::integer as length
    from ${sql.table(table)} l, ${sql.table(table)} t
    where ${newest(table)} and l.realm_id = t.realm_id ${sql.raw(same)}
      and (${sql.raw((limit.where ?? 'true').replaceAll(/\b(is_|name|link_id|flags|error_code)/g, 'l.$1'))})`.execute(
    chat.server.app.db.kysely,
  );
  return rows[0]?.length ?? 0;
}

const limits = Object.entries(listLimits).flatMap(([table, entry]) =>
  typeof entry === 'string'
    ? []
    : entry.map((limit: ListLimit, at) => ({ table: table as LimitedTable, limit, at })),
);

describe('a list', () => {
  test.each(limits)(
    'of $table by $limit.of with $limit.max entries refuses another one, and says what to do',
    async ({ table, limit, at }) => {
      const sample = cases[table][at];
      if (!sample) throw new Error('The limit has no case');
      await sample.before?.();
      await sample.add();
      const remove = await copy(table, limit.max - (await lengthOf(table, limit)), sample);
      const refused = await sample.add().then(
        () => undefined,
        (error: unknown) => error,
      );
      await remove(1);
      await sample.add();
      await remove();
      expect(refused).toMatchObject({ code: 'BAD_REQUEST', message: limit.refusal });
      expect(limit.refusal).toContain(String(limit.max));
    },
    60_000,
  );

  test('of which the table has several limits has a case for each', () => {
    for (const { table } of limits)
      expect([table, cases[table].length]).toEqual([table, listLimits[table].length]);
  });
});
