import {
  channelGroupSettings,
  type ChannelId,
  type Role,
  roles,
  type UserGroupId,
  type UserId,
} from '@bellhop/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { addChannel, groupOf } from '../../resources/channels/channels.fixture.ts';
import { startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { type ChannelAccess, channelAccess, deletionRights } from './access.ts';
import { isReadableBy } from './channel-rights.ts';
import { type ChannelRow, all, viewersOf } from './channel-rows.ts';
import { postableChannels } from './postable-channel.ts';

const privacies = {
  public: {},
  'web-public': { is_web_public: true },
  'private, shared history': { invite_only: true },
  'private, protected history': { invite_only: true, history_public_to_subscribers: false },
};
type Privacy = keyof typeof privacies;
const memberships = ['never subscribed', 'subscribed', 'formerly subscribed'] as const;
type Membership = (typeof memberships)[number];
const grants = ['none', ...channelGroupSettings] as const;

interface Cell {
  readonly privacy: Privacy;
  readonly is_archived: boolean;
  readonly membership: Membership;
  /** The one group setting that includes everybody; all others include nobody. */
  readonly grant: (typeof grants)[number];
}
const cells: readonly Cell[] = (Object.keys(privacies) as Privacy[]).flatMap((privacy) =>
  [false, true].flatMap((is_archived) =>
    memberships.flatMap((membership) =>
      grants.map((grant) => ({ privacy, is_archived, membership, grant })),
    ),
  ),
);
const nameOf = ({ privacy, is_archived, membership, grant }: Cell) =>
  `${is_archived ? 'archived ' : ''}${privacy}, ${membership}, ${grant}`;

/** The permissions of the realm that concern channels. */
const ofRealm = [
  'can_add_subscribers_group',
  'can_delete_any_message_group',
  'can_delete_own_message_group',
  'can_move_messages_between_channels_group',
  'can_move_messages_between_topics_group',
  'can_resolve_topics_group',
];

let chat: TestChat;
let groups: { readonly everybody: UserGroupId; readonly nobody: UserGroupId };
let rows: ReadonlyMap<string, ChannelRow>;
beforeAll(async () => {
  chat = await startTestChat();
  const { db } = chat.server.app;
  const everybody = Object.values(chat.people);
  const group = await groupOf(chat, ...everybody);
  const nobody = await groupOf(chat);
  groups = { everybody: group, nobody };
  for (const cell of cells) {
    const { privacy, is_archived, membership, grant } = cell;
    await addChannel(chat, {
      name: nameOf(cell),
      subscribers: membership === 'never subscribed' ? [] : everybody,
      is_archived,
      ...privacies[privacy],
      can_send_message_group: nobody,
      ...(grant === 'none' ? {} : { [grant]: group }),
    });
  }
  await grantInRealm(nobody);
  await sql`update subscription s set is_active = false from channel c
    where c.id = s.channel_id and c.name like '%formerly subscribed%'`.execute(db.kysely);
  rows = new Map((await all(db.kysely, chat.realm.id)).map((row) => [row.name, row]));
});
/** Gives the permissions of the realm about channels to one group. */
const grantInRealm = (group: UserGroupId) =>
  sql`update realm set group_settings = group_settings || (
      select jsonb_object_agg(name, ${group}::bigint) from unnest(${ofRealm}::text[]) n (name))
    where id = ${chat.realm.id}`.execute(chat.server.app.db.kysely);

afterAll(() => chat[Symbol.asyncDispose]());

const people = ['desdemona', 'iago', 'shiva', 'hamlet', 'polonius'] as const;
const accessOf = (name: (typeof people)[number], ids?: readonly ChannelId[]) =>
  channelAccess(chat.server.app.db.kysely, chat.people[name].user, ids);

/** The cells for whose channel an answer holds. */
const cellsWhere = (holds: (channel: ChannelId) => boolean | undefined) =>
  cells.filter((cell) => holds(channelNamed(cell).id)).map(nameOf);

describe.each(people)('statements about many users decide as those about one, for %s', (name) => {
  test('isReadableBy', async () => {
    const { id } = chat.people[name].user;
    const { rows: found } = await sql<{ id: ChannelId }>`
      select c.id from channel c join realm_user u on u.id = ${id}
      where ${isReadableBy(chat.realm.id, 'c', {
        row: 'u',
        isSubscribed: sql`exists (select from subscription s
          where s.channel_id = c.id and s.user_id = u.id and s.is_active)`,
      })}`.execute(chat.server.app.db.kysely);
    const ids = new Set(found.map((one) => one.id));
    const access = await accessOf(name);
    expect(cellsWhere((at) => ids.has(at))).toEqual(
      cellsWhere((at) => access.get(at)?.readsContent),
    );
  });

  test('channel_access, for nodes that began before it was a part of statements', async () => {
    const { id } = chat.people[name].user;
    const { rows: found } = await sql<{ is_visible: boolean; is_readable: boolean }>`
      select * from channel_access(${chat.realm.id}, ${id}) order by channel_id`.execute(
      chat.server.app.db.kysely,
    );
    const access = [...(await accessOf(name))].toSorted(([a], [b]) => a - b);
    expect(found).toEqual(
      access.map(([channel_id, { seesMetadata, readsContent, readsHistory }]) => ({
        channel_id,
        is_visible: seesMetadata,
        is_readable: readsContent,
        shows_history: readsHistory,
      })),
    );
  });

  test('viewersOf', async () => {
    const { id } = chat.people[name].user;
    const ids = [...rows.values()].map((row) => row.id);
    const viewers = await viewersOf(chat.server.app.db.kysely, chat.realm.id, ids);
    const access = await accessOf(name);
    expect(cellsWhere((at) => viewers.get(at)?.includes(id))).toEqual(
      cellsWhere((at) => access.get(at)?.seesMetadata),
    );
  });
});

describe.each(people)('posting, as the spec has it, for %s', (name) => {
  test('requires can_send_message_group, and a subscription or a public channel', async () => {
    const sender = chat.people[name].user;
    const isGuest = sender.role === roles.guest;
    const requests = cells.map((cell) => ({ sender, place: { name: nameOf(cell) } }));
    const { kysely } = chat.server.app.db;
    const channels = await postableChannels(kysely, chat.realm.id, requests);
    const may = cells.filter((_, at) => {
      const channel = channels[at];
      if (!channel) throw new Error('no channel');
      return channel.may_post;
    });
    const expected = cells.filter(
      ({ privacy, is_archived, membership, grant }) =>
        !is_archived &&
        grant === 'can_send_message_group' &&
        (membership === 'subscribed' ||
          (!isGuest && (privacy === 'public' || privacy === 'web-public'))),
    );
    expect(may.map(nameOf)).toEqual(expected.map(nameOf));
  });
});

/** The roles that hold a right, written by hand from the spec. */
const nobody: readonly Role[] = [];
const guests = [roles.guest];
const members: readonly Role[] = [roles.member, roles.moderator, roles.admin, roles.owner];
const admins: readonly Role[] = [roles.admin, roles.owner];
const everyone = [...members, ...guests];

type Right = Exclude<keyof ChannelAccess, 'isSubscribed'>;
interface Expectation {
  readonly privacy: Privacy;
  readonly membership?: Membership;
  readonly grant?: Cell['grant'];
  readonly sees: readonly Role[];
  readonly reads: readonly Role[];
  readonly history: readonly Role[];
}
const shared = 'private, shared history';
const kept = 'private, protected history';
const expectations: readonly Expectation[] = [
  { privacy: 'public', sees: members, reads: members, history: members },
  {
    privacy: 'public',
    membership: 'subscribed',
    sees: everyone,
    reads: everyone,
    history: everyone,
  },
  {
    privacy: 'public',
    membership: 'formerly subscribed',
    sees: members,
    reads: members,
    history: members,
  },
  { privacy: 'web-public', sees: everyone, reads: everyone, history: everyone },
  { privacy: shared, sees: admins, reads: nobody, history: nobody },
  { privacy: shared, membership: 'subscribed', sees: everyone, reads: everyone, history: everyone },
  {
    privacy: shared,
    membership: 'formerly subscribed',
    sees: admins,
    reads: nobody,
    history: nobody,
  },
  { privacy: kept, sees: admins, reads: nobody, history: nobody },
  { privacy: kept, membership: 'subscribed', sees: everyone, reads: everyone, history: nobody },
  {
    privacy: kept,
    membership: 'formerly subscribed',
    sees: admins,
    reads: nobody,
    history: nobody,
  },
  {
    privacy: shared,
    grant: 'can_subscribe_group',
    sees: members,
    reads: members,
    history: members,
  },
  {
    privacy: shared,
    grant: 'can_add_subscribers_group',
    sees: members,
    reads: members,
    history: members,
  },
  { privacy: kept, grant: 'can_subscribe_group', sees: members, reads: members, history: nobody },
  {
    privacy: kept,
    grant: 'can_add_subscribers_group',
    sees: members,
    reads: members,
    history: nobody,
  },
  {
    privacy: shared,
    grant: 'can_administer_channel_group',
    sees: members,
    reads: nobody,
    history: nobody,
  },
  {
    privacy: shared,
    grant: 'can_send_message_group',
    sees: admins,
    reads: nobody,
    history: nobody,
  },
  {
    privacy: shared,
    grant: 'can_remove_subscribers_group',
    sees: admins,
    reads: nobody,
    history: nobody,
  },
];

const channelNamed = (cell: Cell) => {
  const row = rows.get(nameOf(cell));
  if (!row) throw new Error(nameOf(cell));
  return row;
};

/** The roles that hold a right in a cell, where no permission of the realm helps. */
async function holders(cell: Cell, right: Right): Promise<Role[]> {
  const { id } = channelNamed(cell);
  const held: Role[] = [];
  for (const name of people)
    if ((await accessOf(name, [id])).get(id)?.[right]) held.push(chat.people[name].user.role);
  return sorted(held);
}

describe('the spec decides who sees and reads', () => {
  test.each(
    expectations.map((one) => ({
      membership: 'never subscribed' as const,
      grant: 'none' as const,
      ...one,
    })),
  )(
    '$privacy, $membership, everybody in $grant',
    async ({ privacy, membership, grant, ...expected }) => {
      for (const is_archived of [false, true]) {
        const cell = { privacy, membership, grant, is_archived };
        expect(await holders(cell, 'seesMetadata')).toEqual(sorted(expected.sees));
        expect(await holders(cell, 'readsContent')).toEqual(sorted(expected.reads));
        expect(await holders(cell, 'readsHistory')).toEqual(sorted(expected.history));
      }
    },
  );
});

const sorted = (of: readonly Role[]) => everyone.filter((role) => of.includes(role));

describe('the spec decides who manages', () => {
  const manages: readonly [Right, Cell['grant'], readonly Role[]][] = [
    ['administers', 'none', admins],
    ['administers', 'can_administer_channel_group', members],
    ['addsSubscribers', 'none', admins],
    ['addsSubscribers', 'can_add_subscribers_group', members],
    ['addsSubscribers', 'can_administer_channel_group', members],
    ['addsSubscribers', 'can_subscribe_group', admins],
    ['movesWithin', 'none', admins],
    ['movesWithin', 'can_move_messages_within_channel_group', everyone],
    ['movesWithin', 'can_administer_channel_group', members],
    ['movesWithin', 'can_move_messages_out_of_channel_group', admins],
    ['movesOut', 'none', admins],
    ['movesOut', 'can_move_messages_out_of_channel_group', everyone],
    ['movesOut', 'can_administer_channel_group', members],
    ['resolvesTopics', 'none', admins],
    ['resolvesTopics', 'can_resolve_topics_group', everyone],
    ['resolvesTopics', 'can_administer_channel_group', members],
    ['removesSubscribers', 'none', admins],
    ['removesSubscribers', 'can_remove_subscribers_group', everyone],
    ['removesSubscribers', 'can_administer_channel_group', members],
    ['deletesAny', 'none', nobody],
    ['deletesAny', 'can_delete_any_message_group', everyone],
    ['deletesAny', 'can_administer_channel_group', nobody],
    ['deletesOwn', 'none', nobody],
    ['deletesOwn', 'can_delete_own_message_group', everyone],
  ];
  test.each(manages)('%s, everybody in %s', async (right, grant, expected) => {
    const cell = {
      privacy: 'public',
      membership: 'subscribed',
      is_archived: false,
      grant,
    } as const;
    expect(await holders(cell, right)).toEqual(sorted(expected));
  });

  test('an administrator adds nobody to a private channel that they may not read', async () => {
    const cell = { privacy: shared, membership: 'never subscribed', is_archived: false } as const;
    expect(await holders({ ...cell, grant: 'none' }, 'addsSubscribers')).toEqual([]);
    expect(
      await holders({ ...cell, grant: 'can_administer_channel_group' }, 'addsSubscribers'),
    ).toEqual([]);
  });

  test.each<[Right, readonly Role[]]>([
    ['addsSubscribers', members],
    ['removesSubscribers', admins],
    ['movesWithin', everyone],
    ['movesOut', members],
    ['resolvesTopics', everyone],
    ['deletesAny', members],
    ['deletesOwn', everyone],
  ])('%s, everybody in the permissions of the realm', async (right, expected) => {
    await grantInRealm(groups.everybody);
    try {
      const cell = { privacy: 'public', membership: 'subscribed', is_archived: false } as const;
      expect(await holders({ ...cell, grant: 'none' }, right)).toEqual(sorted(expected));
    } finally {
      await grantInRealm(groups.nobody);
    }
  });

  test('the realm decides who deletes direct messages', async () => {
    const { kysely } = chat.server.app.db;
    const rights = (name: (typeof people)[number]) =>
      deletionRights(kysely, chat.people[name].user, null);
    expect(await rights('desdemona')).toEqual({ deletesAny: false, deletesOwn: false });
    await grantInRealm(groups.everybody);
    try {
      expect(await rights('hamlet')).toEqual({ deletesAny: true, deletesOwn: true });
      // can_delete_any_message_group may not be everyone.
      expect(await rights('polonius')).toEqual({ deletesAny: false, deletesOwn: true });
    } finally {
      await grantInRealm(groups.nobody);
    }
  });

  test('a client without a login reads only web-public channels', async () => {
    const viewer = { id: 0 as UserId, realm_id: chat.realm.id };
    const access = await channelAccess(chat.server.app.db.kysely, viewer);
    const webPublic = cells.filter(({ privacy }) => privacy === 'web-public').map(nameOf);
    for (const right of ['seesMetadata', 'readsContent', 'readsHistory'] as const)
      expect(cellsWhere((at) => access.get(at)?.[right])).toEqual(webPublic);
    for (const right of ['administers', 'addsSubscribers', 'movesWithin', 'deletesOwn'] as const)
      expect(cellsWhere((at) => access.get(at)?.[right])).toEqual([]);
  });
});
