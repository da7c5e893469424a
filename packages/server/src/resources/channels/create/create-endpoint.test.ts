import { ApiError, type Api, type AskOf } from '@bellhop/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { refusedWith } from '../../../expect-refused.fixture.ts';
import { type Person, startTestChat, type TestChat } from '../../../test-chat.fixture.ts';
import { listen } from '../../queues/listen.fixture.ts';
import { addChannel } from '../channels.fixture.ts';
import {
  groupIds,
  recordEvents,
  setRealmGroup,
  setRealmSettings,
  summarize,
} from '../subscribe/subscribing.fixture.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

type Params = Partial<AskOf<Api['channels']['create']>>;
let count = 0;
const create = ({ client }: Person, params: Params = {}) =>
  client.channels.create({ name: `channel ${++count}`, subscribers: [], ...params });
/** The record of a channel, as the owner sees it. */
async function recordOf(id: number) {
  const { streams } = await chat.people.desdemona.client.channels.list({
    include_all: true,
    include_default: true,
  });
  return streams.find(({ stream_id }) => stream_id === id);
}

describe('POST /channels/create', () => {
  test('returns the id of the channel and subscribes exactly the listed users', async () => {
    const { hamlet, cordelia, polonius } = chat.people;
    const { id } = await create(hamlet, {
      name: '  Elsinore ',
      description: 'a\ncastle',
      subscribers: [cordelia.user.id, polonius.user.id],
    });
    const subscriptionsOf = async ({ client }: Person) => {
      const { subscriptions } = await client.subscriptions.list({ include_subscribers: true });
      return subscriptions.filter(({ stream_id }) => stream_id === id);
    };
    expect(await subscriptionsOf(hamlet)).toEqual([]);
    expect(await subscriptionsOf(cordelia)).toMatchObject([
      {
        name: 'Elsinore',
        description: 'a castle',
        creator_id: hamlet.user.id,
        subscribers: [cordelia.user.id, polonius.user.id],
        can_administer_channel_group: {
          direct_members: [hamlet.user.id],
          direct_subgroups: [],
        },
      },
    ]);
  });

  test('stores every setting of the request', async () => {
    await setRealmSettings(chat, { enable_spectator_access: true });
    const { desdemona, hamlet } = chat.people;
    const groups = await groupIds(chat);
    const anonymous = { direct_members: [hamlet.user.id], direct_subgroups: [] };
    const settings = {
      is_web_public: true,
      is_default_stream: true,
      message_retention_days: 30,
      topics_policy: 'disable_empty_topic',
      can_add_subscribers_group: anonymous,
      can_administer_channel_group: groups['role:moderators'],
      can_delete_any_message_group: groups['role:administrators'],
      can_delete_own_message_group: groups['role:everyone'],
      can_move_messages_out_of_channel_group: anonymous,
      can_move_messages_within_channel_group: groups['role:members'],
      can_remove_subscribers_group: anonymous,
      can_resolve_topics_group: groups['role:members'],
      can_send_message_group: groups['role:moderators'],
      can_subscribe_group: groups['role:members'],
    } as const;
    const { id } = await create(desdemona, settings);
    const { is_default_stream, ...stored } = settings;
    expect(await recordOf(id)).toMatchObject({ ...stored, is_default: is_default_stream });
    const kept = async (message_retention_days: 'realm_default' | 'unlimited' | 'forever') =>
      (await recordOf((await create(desdemona, { message_retention_days })).id))
        ?.message_retention_days;
    expect(await kept('realm_default')).toBeNull();
    expect(await kept('unlimited')).toBe(-1);
    expect(await kept('forever')).toBe(-1);
  });

  test('stores history_public_to_subscribers of a private channel', async () => {
    for (const history_public_to_subscribers of [true, false]) {
      const params = { invite_only: true, history_public_to_subscribers };
      const { id } = await create(chat.people.desdemona, params);
      expect(await recordOf(id)).toMatchObject({ history_public_to_subscribers });
    }
  });

  test('accepts message_retention_days as a bare word and as JSON text', async () => {
    const { desdemona } = chat.people;
    for (const days of ['unlimited', '"unlimited"']) {
      const { body } = await chat.ask(desdemona, 'POST /channels/create', {
        name: `kept ${days}`,
        subscribers: '[]',
        message_retention_days: days,
      });
      expect((await recordOf(Number(body['id'])))?.message_retention_days).toBe(-1);
    }
  });

  test('a taken name in any letter case is CHANNEL_ALREADY_EXISTS with status 409', async () => {
    await addChannel(chat, { name: 'Taken', subscribers: [], invite_only: true });
    const answer = await chat.ask(chat.people.hamlet, 'POST /channels/create', {
      name: 'tAKEN',
      subscribers: '[]',
    });
    expect(answer).toMatchObject({
      status: 409,
      body: { result: 'error', code: 'CHANNEL_ALREADY_EXISTS', channel_name: 'tAKEN' },
    });
  });

  test('takes a name with a character that Unicode does not define yet, but no non-character', async () => {
    const { id } = await create(chat.people.hamlet, { name: 'new \u{1FAFF}\u{2FE0}' });
    expect(await recordOf(id)).toMatchObject({ name: 'new \u{1FAFF}\u{2FE0}' });
    await expect(create(chat.people.hamlet, { name: 'a\u{FDD0}' })).rejects.toMatchObject(
      refusedWith('Invalid character in channel name, at position 2.'),
    );
  });

  test('a bad name, description, subscriber or folder is BAD_REQUEST, and nothing is created', async () => {
    const { hamlet } = chat.people;
    const before = await chat.server.app.db.kysely.selectFrom('channel').select('id').execute();
    const cases: [Params, string | RegExp][] = [
      [{ name: '  ' }, "Channel name can't be empty."],
      [{ name: 'x'.repeat(61) }, /^Channel name too long/],
      [{ name: 'a\u0007b' }, 'Invalid character in channel name, at position 2.'],
      [{ description: 'x'.repeat(1025) }, /^Channel description too long/],
      [{ subscribers: [999_999 as never] }, 'Invalid user ID 999999'],
      [{ folder_id: 999_999 }, 'Invalid channel folder ID'],
      [{ can_send_message_group: 999_999 as never }, 'Invalid user group'],
      [{ is_default_stream: true }, 'Insufficient permission'],
      [{ is_web_public: true }, 'Insufficient permission'],
    ];
    for (const [params, message] of cases) {
      const answer = create(hamlet, params);
      await expect(answer, JSON.stringify(params)).rejects.toBeInstanceOf(ApiError);
      await expect(answer).rejects.toMatchObject(refusedWith(message));
    }
    expect(await chat.server.app.db.kysely.selectFrom('channel').select('id').execute()).toEqual(
      before,
    );
  });

  test('guests, and members outside the group of the realm, may create no channel', async () => {
    const { hamlet, shiva, polonius } = chat.people;
    await expect(create(polonius)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await setRealmGroup(chat, 'can_create_private_channel_group', 'role:moderators');
    await expect(create(hamlet, { invite_only: true })).rejects.toMatchObject(
      refusedWith('Insufficient permission'),
    );
    await create(shiva, { invite_only: true });
    await create(hamlet);
    await expect(create(shiva, { message_retention_days: 3 })).rejects.toMatchObject(
      refusedWith('Must be an organization owner', 'UNAUTHORIZED_PRINCIPAL'),
    );
  });
});

describe('the events of POST /channels/create', () => {
  test('show a public channel to everybody but guests who are not subscribed', async () => {
    const { hamlet, cordelia } = chat.people;
    const name = 'Wittenberg';
    const received = await recordEvents(chat, () =>
      create(hamlet, { name, subscribers: [cordelia.user.id] }),
    );
    const others = [`stream create ${name}`, 'subscription peer_add', 'stream update'];
    expect(summarize(received)).toEqual({
      desdemona: others,
      iago: others,
      shiva: others,
      hamlet: others,
      cordelia: [`stream create ${name}`, `subscription add ${name}`, 'stream update'],
      polonius: [],
    });
  });

  test('show a private channel to its subscribers, its creator and administrators', async () => {
    const { hamlet, polonius } = chat.people;
    const name = 'Crypt';
    await setRealmGroup(chat, 'can_create_private_channel_group', 'role:members');
    const received = await recordEvents(chat, () =>
      create(hamlet, { name, invite_only: true, subscribers: [polonius.user.id] }),
    );
    const told = Object.entries(summarize(received)).filter(([, events]) => events.length > 0);
    expect(told.map(([who]) => who)).toEqual(['desdemona', 'iago', 'hamlet', 'polonius']);
  });
});

describe('the notices of POST /channels/create', () => {
  test('a channel is announced if announce is set and somebody is subscribed', async () => {
    const { iago, hamlet } = chat.people;
    const news = await addChannel(chat, { name: 'news', subscribers: [iago] });
    await setRealmSettings(chat, { new_stream_announcements_stream_id: news });
    const queue = await listen(iago, { event_types: ['message'] });
    const subscribers = [hamlet.user.id];
    await create(hamlet, { name: 'quiet', subscribers });
    await create(hamlet, { name: 'empty', announce: true });
    await create(hamlet, { name: 'loud', announce: true, subscribers });
    await create(hamlet, { name: 'hidden', announce: true, subscribers, invite_only: true });
    const contents = (await queue.messages()).map(
      ({ message }) => (message as { content: string }).content,
    );
    expect(contents).toEqual([expect.stringMatching(/created a new channel #\*\*loud\*\*/)]);
  });

  test('subscribed users get no direct message about a new channel', async () => {
    const { hamlet, cordelia } = chat.people;
    const queue = await listen(cordelia, { event_types: ['message'] });
    await create(hamlet, { subscribers: [cordelia.user.id] });
    expect(await queue.messages()).toMatchObject([
      { message: { type: 'stream', subject: 'channel events' } },
    ]);
  });
});
