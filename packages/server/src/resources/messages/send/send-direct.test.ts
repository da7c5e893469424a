import { createClient } from '@bellhop/client';
import { type ErrorCode, MAX_PARTICIPANTS, type MessageId } from '@bellhop/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { expectRefused } from '../../../expect-refused.fixture.ts';
import { systemGroupIds } from '../../../model/user-groups/queries.ts';
import { createUser } from '../../../model/users/create-user.ts';
import { type Person, startTestChat, type TestChat } from '../../../test-chat.fixture.ts';
import { listen } from '../../queues/listen.fixture.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

const post = (from: Person, fields: Record<string, string>) =>
  chat.ask(from, 'POST /messages', { type: 'direct', content: 'hello', ...fields });

const refused = (from: Person, fields: Record<string, string>, code: ErrorCode = 'BAD_REQUEST') =>
  expectRefused(post(from, fields), code);

/** Posts a message; returns the ids of its participants. */
async function recipients(from: Person, fields: Record<string, string>): Promise<unknown> {
  const { body } = await post(from, fields);
  expect(body).toMatchObject({ result: 'success', msg: '' });
  const { messages } = await from.client.messages.fetch({ anchor: Number(body['id']) });
  const [message] = messages;
  return Array.isArray(message?.display_recipient) && message.display_recipient.map(({ id }) => id);
}

/** Inserts users without the rows that a login needs. Returns their ids. */
async function addUsers(count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    insert into realm_user (realm_id, delivery_email, full_name, api_key_mac, api_key_sealed)
    select ${chat.realm.id}, 'crowd' || n || '@chat.test', 'Crowd ' || n, sha256(n::text::bytea), ''
    from generate_series(1, ${count}::integer) n returning id`.execute(chat.server.app.db.kysely);
  return rows.map(({ id }) => id);
}

describe('`to` of a direct message', () => {
  test('accepts ids or addresses, with or without the sender', async () => {
    const { hamlet, cordelia, iago } = chat.people;
    const both = [iago.user.id, hamlet.user.id, cordelia.user.id];
    for (const type of ['direct', 'private'])
      for (const to of [
        JSON.stringify([cordelia.user.id, iago.user.id]),
        JSON.stringify([cordelia.user.id, hamlet.user.id, iago.user.id, iago.user.id]),
        JSON.stringify([cordelia.email, iago.email]),
        `${cordelia.email},${iago.email}`,
        ` ${cordelia.email.toUpperCase()} , ${iago.email} `,
        JSON.stringify(`${cordelia.email}, ${iago.email}`),
      ])
        expect(await recipients(hamlet, { type, to })).toEqual(both);
    expect(await recipients(hamlet, { to: hamlet.email })).toEqual([hamlet.user.id]);
    expect(await recipients(hamlet, { to: `[${hamlet.user.id}]` })).toEqual([hamlet.user.id]);
  });

  test('accepts 300 participants and rejects more', async () => {
    const { hamlet } = chat.people;
    const ids = await addUsers(MAX_PARTICIPANTS + 1);
    const message = `A direct message has at most ${MAX_PARTICIPANTS} participants.`;
    const most = ids.slice(0, MAX_PARTICIPANTS - 1);
    expect(await recipients(hamlet, { to: JSON.stringify(most) })).toHaveLength(MAX_PARTICIPANTS);
    const tooMany = ids.slice(0, MAX_PARTICIPANTS);
    for (const to of [tooMany, [...most, ...most, tooMany.at(-1)], ids])
      expect((await refused(hamlet, { to: JSON.stringify(to) }))['msg']).toBe(message);
    const emails = ids.map((id) => `user${id}@chat.test`);
    expect((await refused(hamlet, { to: emails.join() }))['msg']).toBe(message);
  });

  test('rejects an empty list, unknown users, a bare number, and ids mixed with addresses', async () => {
    const { hamlet, cordelia } = chat.people;
    const { id } = cordelia.user;
    await refused(hamlet, {}, 'REQUEST_VARIABLE_MISSING');
    for (const to of ['', '[]', ',', String(id), `[${id},"${hamlet.email}"]`, '[999999]', '[-1]'])
      await refused(hamlet, { to });
    const stranger = await refused(hamlet, { to: `${cordelia.email},nobody@chat.test` });
    expect(stranger['msg']).toBe("Invalid email 'nobody@chat.test'");
    await refused(hamlet, { to: '["a\\u0000b"]' });
    await refused(hamlet, { to: '{"id":1}' });
  });

  test('rejects deactivated users', async () => {
    const gone = await chat.addPerson('gone');
    await update(gone, { is_active: false });
    const { msg } = await refused(chat.people.hamlet, { to: `[${gone.user.id}]` });
    expect(msg).toBe(`'${gone.email}' is no longer using this server.`);
  });

  test('finds a user with a hidden address by the address that the API shows', async () => {
    const hidden = await chat.addPerson('hidden');
    const { hamlet, iago } = chat.people;
    const onlyAdmins = JSON.stringify({ email_address_visibility: 3 });
    await update(hidden, { settings: onlyAdmins });
    const shown = `user${hidden.user.id}@chat.test`;
    expect(await recipients(hamlet, { to: shown })).toEqual([hamlet.user.id, hidden.user.id]);
    await refused(hamlet, { to: hidden.email });
    expect(await recipients(iago, { to: hidden.email })).toEqual([iago.user.id, hidden.user.id]);
    await refused(hamlet, { to: `user${hidden.user.id}@elsewhere.test` });
  });
});

describe('permission to send direct messages', () => {
  test('direct messages switched off: only messages to bots and to oneself are accepted', async () => {
    const { hamlet, cordelia } = chat.people;
    const bot = await addBot('helper', hamlet);
    await withRealmGroup('direct_message_permission_group', 'role:nobody', async () => {
      await refused(hamlet, { to: `[${cordelia.user.id}]` });
      expect(await recipients(hamlet, { to: `[${bot.user.id}]` })).toHaveLength(2);
      expect(await recipients(hamlet, { to: `[${hamlet.user.id}]` })).toHaveLength(1);
      expect(await recipients(bot, { to: `[${cordelia.user.id}]` })).toHaveLength(2);
    });
  });

  test('one participant in direct_message_permission_group is enough', async () => {
    const { hamlet, cordelia, iago } = chat.people;
    await withRealmGroup('direct_message_permission_group', 'role:administrators', async () => {
      await refused(hamlet, { to: `[${cordelia.user.id}]` });
      expect(await recipients(hamlet, { to: `[${iago.user.id}]` })).toHaveLength(2);
    });
  });

  test('only direct_message_initiator_group may start a conversation; a rejected message starts none', async () => {
    const [ann, ben] = [await chat.addPerson('ann'), await chat.addPerson('ben')];
    await withRealmGroup('direct_message_initiator_group', 'role:administrators', async () => {
      await refused(ann, { to: `[${ben.user.id}]` });
      await refused(ann, { to: `[${ben.user.id}]` });
    });
    expect(await recipients(ann, { to: `[${ben.user.id}]` })).toHaveLength(2);
    await withRealmGroup('direct_message_initiator_group', 'role:administrators', async () => {
      expect(await recipients(ben, { to: `[${ann.user.id}]` })).toHaveLength(2);
    });
  });

  test('guests may write only to users they can access', async () => {
    const { polonius, hamlet, shiva } = chat.people;
    await withRealmGroup('can_access_all_users_group', 'role:members', async () => {
      await refused(polonius, { to: `[${hamlet.user.id}]` });
      expect(await recipients(polonius, { to: `[${polonius.user.id}]` })).toHaveLength(1);
      await post(shiva, { to: `[${polonius.user.id}]` });
      expect(await recipients(polonius, { to: `[${shiva.user.id}]` })).toHaveLength(2);
    });
    expect(await recipients(polonius, { to: `[${hamlet.user.id}]` })).toHaveLength(2);
  });
});

describe('content of a message', () => {
  const stored = async (content: string) => {
    const { hamlet } = chat.people;
    const { body } = await post(hamlet, { to: `[${hamlet.user.id}]`, content });
    return (await hamlet.client.messages.fetchOne({ message_id: body['id'] as MessageId }))
      .raw_content;
  };

  test('loses leading empty lines and trailing white space', async () => {
    expect(await stored('\n\n  a\n b \n\n ')).toBe('  a\n b');
  });

  test('is truncated to 10,000 characters with a note', async () => {
    expect(await stored('x'.repeat(10_000))).toBe('x'.repeat(10_000));
    expect(await stored('\u{1f600}'.repeat(10_000))).toHaveLength(20_000);
    const cut = await stored('y'.repeat(10_001));
    expect(cut).toHaveLength(10_000);
    expect(cut).toMatch(/y\n\[message truncated\]$/);
  });

  test('is rejected if it is empty or contains null characters', async () => {
    const { hamlet } = chat.people;
    const to = `[${hamlet.user.id}]`;
    for (const content of ['', ' \n\t', 'a\0b']) await refused(hamlet, { to, content });
    const missing = await chat.ask(hamlet, 'POST /messages', { type: 'direct', to });
    expect(missing.body).toMatchObject({
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'content',
    });
  });

  test('an invalid type or widget_content is rejected', async () => {
    const { hamlet } = chat.people;
    const to = `[${hamlet.user.id}]`;
    await refused(hamlet, { to, type: 'letter' });
    for (const widget_content of ['{', '{}', '5']) await refused(hamlet, { to, widget_content });
    const widget_content = '{"widget_type":"poll","extra_data":{"question":"when?"}}';
    expect((await post(hamlet, { to, widget_content, nonsense: '1' })).body).toMatchObject({
      result: 'success',
      ignored_parameters_unsupported: ['nonsense'],
    });
  });
});

describe('the sender of a message', () => {
  test('has read the message if the client is made for people or read_by_sender is set', async () => {
    const { hamlet } = chat.people;
    const flags = async (userAgent: string, read_by_sender?: boolean) => {
      const { email, api_key } = hamlet;
      const client = createClient({ url: chat.url, email, apiKey: api_key, userAgent });
      const { id } = await client.messages.send({
        type: 'direct',
        to: [hamlet.user.id],
        content: 'x',
        ...(read_by_sender === undefined ? {} : { read_by_sender }),
      });
      const { message } = await client.messages.fetchOne({ message_id: id });
      return [message.client, ...message.flags];
    };
    expect(await flags('ZulipTerminal/1.0 (Linux)')).toEqual(['ZulipTerminal', 'read']);
    expect(await flags('ZulipPython/0.9')).toEqual(['ZulipPython']);
    expect(await flags('ZulipPython/0.9', true)).toEqual(['ZulipPython', 'read']);
    expect(await flags('website/1', false)).toEqual(['website']);
  });

  test('gets local_message_id only in the queue of queue_id', async () => {
    const { hamlet, cordelia } = chat.people;
    const [named, other] = [await listen(hamlet), await listen(hamlet)];
    const theirs = await listen(cordelia);
    const to = `[${cordelia.user.id}]`;
    await post(hamlet, { to, queue_id: named.queue_id, local_id: '17.01' });
    expect(await named.messages()).toMatchObject([{ local_message_id: '17.01' }]);
    for (const queue of [other, theirs]) {
      const [event] = await queue.messages();
      expect(event).toMatchObject({ type: 'message' });
      expect(event).not.toHaveProperty('local_message_id');
    }
  });

  test("gets no local_message_id into another user's queue", async () => {
    const { hamlet, cordelia } = chat.people;
    const theirs = await listen(cordelia);
    const to = `[${cordelia.user.id}]`;
    await post(hamlet, { to, queue_id: theirs.queue_id, local_id: '17.01' });
    const [event] = await theirs.messages();
    expect(event).toMatchObject({ type: 'message' });
    expect(event).not.toHaveProperty('local_message_id');
  });
});

describe('the message event of a direct message', () => {
  test('goes to the participants and to nobody else', async () => {
    const { hamlet, cordelia, iago } = chat.people;
    const queues = [await listen(hamlet), await listen(cordelia), await listen(iago)];
    const { body } = await post(hamlet, { to: `[${cordelia.user.id}]` });
    const got = await Promise.all(queues.map((queue) => queue.messages()));
    const event = { message: { id: body['id'], type: 'private' }, flags: [] };
    expect(got).toMatchObject([[event], [event], []]);
  });

  test('shows content and avatar in the format of each queue', async () => {
    const { hamlet, cordelia } = chat.people;
    const html = await listen(cordelia, { apply_markdown: true, client_gravatar: false });
    const raw = await listen(cordelia, { apply_markdown: false, client_gravatar: true });
    await post(hamlet, { to: `[${cordelia.user.id}]`, content: '*hm*' });
    expect(await html.messages()).toMatchObject([
      {
        message: {
          content: '<p><em>hm</em></p>',
          content_type: 'text/html',
          avatar_url: expect.stringMatching(/^https:/),
        },
      },
    ]);
    expect(await raw.messages()).toMatchObject([
      { message: { content: '*hm*', content_type: 'text/x-markdown', avatar_url: null } },
    ]);
  });

  test('is filtered by the narrow of a queue', async () => {
    const { hamlet, cordelia } = chat.people;
    const narrow = (operator: string, operand: string) =>
      listen(cordelia, { narrow: [{ operator, operand, negated: false }] });
    const passing = [
      await narrow('is', 'dm'),
      await narrow('sender', hamlet.email),
      await narrow('is', 'unread'),
    ];
    const closed = [await narrow('channel', 'Denmark'), await narrow('is', 'mentioned')];
    await post(hamlet, { to: `[${cordelia.user.id}]` });
    for (const queue of passing) expect(await queue.messages()).toHaveLength(1);
    for (const queue of closed) expect(await queue.messages()).toEqual([]);
  });

  test('has the mentioned flag for participants who are mentioned, not for silent mentions', async () => {
    const { hamlet, cordelia, iago } = chat.people;
    const [queue, stranger] = [await listen(cordelia), await listen(iago)];
    const to = `[${cordelia.user.id}]`;
    for (const content of ['@**Cordelia**', '@_**Cordelia**', '@**Iago**'])
      await post(hamlet, { to, content });
    const events = await queue.messages();
    expect(events.map((event) => event['flags'])).toEqual([['mentioned'], [], []]);
    expect(await stranger.messages()).toEqual([]);
  });
});

const update = (person: Person, set: { is_active?: boolean; settings?: string }) =>
  chat.server.app.db.kysely
    .updateTable('realm_user')
    .set(set)
    .where('id', '=', person.user.id)
    .execute();

async function addBot(name: string, owner: Person): Promise<Person> {
  const { app } = chat.server;
  const email = `${name}-bot@chat.test`;
  const bot = { type: 1, owner_id: owner.user.id } as const;
  const { user, api_key } = await app.change(chat.realm, ({ db }) =>
    createUser(db, { realm: chat.realm, secrets: app.secrets }, { email, full_name: name, bot }),
  );
  const client = createClient({ url: chat.url, email, apiKey: api_key });
  return { user, email, api_key, client };
}

/** Runs `work` with a permission of the realm set to a system group. */
async function withRealmGroup(
  setting: keyof TestChat['realm']['group_settings'],
  group: 'role:nobody' | 'role:administrators' | 'role:members',
  work: () => Promise<void>,
): Promise<void> {
  const { app } = chat.server;
  const { [group]: id } = await systemGroupIds(app.db.kysely, chat.realm.id);
  const set = async (group_settings: object) => {
    await app.db.kysely
      .updateTable('realm')
      .set({ group_settings: JSON.stringify(group_settings) })
      .where('id', '=', chat.realm.id)
      .execute();
    app.realms.forget();
  };
  await set({ ...chat.realm.group_settings, [setting]: id });
  try {
    await work();
  } finally {
    await set(chat.realm.group_settings);
  }
}
