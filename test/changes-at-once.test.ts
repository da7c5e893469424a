import type { QueuedEvent } from '@bellhop/protocol';
import { type Person, startTestChat, type TestChat } from '@bellhop/server/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { allCapabilities, WatchedStates } from './support/expect-events-match-state.ts';

/** Two changes that overlap by chance do so in one of these, if nothing orders them. */
const ROUNDS = 5;

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
  const { desdemona, iago } = chat.people;
  const members = (await iago.client.userGroups.list()).user_groups.find(
    ({ name }) => name === 'role:members',
  );
  await ask(desdemona, 'PATCH /realm', { can_access_all_users_group: { new: members?.id } });
});
afterAll(() => chat[Symbol.asyncDispose]());

type Fields = Readonly<Record<string, unknown>>;

/** Sends a request whose fields are JSON, except for text. Returns its answer or error. */
async function ask(person: Person, route: string, fields: Fields = {}) {
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  const form = Object.fromEntries(Object.entries(fields).map(([name, it]) => [name, text(it)]));
  return (await chat.ask(person, route, form)).body;
}

function watched(): WatchedStates {
  const { iago, hamlet, cordelia, polonius } = chat.people;
  const registration = { client_capabilities: { ...allCapabilities, archived_channels: false } };
  const variants = [cordelia, hamlet].map((reader) => ({
    title: 'every capability but archived_channels',
    reader,
    registration,
  }));
  return new WatchedStates(chat, [iago, cordelia, polonius], variants);
}

let round = 0;
const named = (name: string) => `${name} ${round}`;

/**
 * Runs changes at once, several times. Each time, events must explain the state that is left; `check` gets
 * those of Iago.
 */
async function expectExplained(
  prepare: () => Promise<readonly (() => Promise<unknown>)[]>,
  check: (events: readonly QueuedEvent[]) => Promise<void> | void = () => {},
): Promise<void> {
  for (const end = round + ROUNDS; round < end; round += 1) {
    const acts = await prepare();
    const [events = []] = await watched().expectMatchAfter(() =>
      Promise.all(acts.map((act) => act())),
    );
    await check(events);
  }
}

const subscribe = (person: Person, principals: readonly Person[], fields: Fields = {}) =>
  ask(person, 'POST /users/me/subscriptions', {
    subscriptions: [{ name: named('channel') }],
    principals: principals.map(({ user }) => user.id),
    ...fields,
  });
async function addChannel(subscribers: readonly Person[], fields: Fields = {}): Promise<number> {
  const ids = subscribers.map(({ user }) => user.id);
  const channel = { name: named('channel'), subscribers: ids, ...fields };
  return Number((await ask(chat.people.desdemona, 'POST /channels/create', channel))['id']);
}

test('a user is subscribed while they are deactivated', async () => {
  const { iago } = chat.people;
  await expectExplained(async () => {
    const leaver = await chat.addPerson(named('leaver'));
    await addChannel([iago]);
    return [
      () => ask(iago, `DELETE /users/${leaver.user.id}`),
      () => subscribe(round % 2 === 0 ? leaver : iago, [leaver]),
    ];
  });
});

test('a user is unsubscribed while they are deactivated', async () => {
  const { iago, hamlet } = chat.people;
  await expectExplained(async () => {
    const leaver = await chat.addPerson(named('lost'));
    await addChannel([iago, hamlet, leaver]);
    return [
      () => ask(iago, `DELETE /users/${leaver.user.id}`),
      () =>
        ask(iago, 'DELETE /users/me/subscriptions', {
          subscriptions: [named('channel')],
          principals: [leaver.user.id],
        }),
    ];
  }, expectOneRemoval);
});

/** Some clients fail on a `peer_remove` of a user who is not in their list. */
function expectOneRemoval(events: readonly QueuedEvent[]): void {
  const removals = events.filter(
    (event) => event.type === 'subscription' && event.op === 'peer_remove',
  );
  expect(removals).toHaveLength(1);
}

test('a user leaves a channel while it is unarchived', async () => {
  const { desdemona, iago, hamlet, cordelia } = chat.people;
  await expectExplained(async () => {
    const id = await addChannel([iago, hamlet, cordelia]);
    await ask(desdemona, `DELETE /streams/${id}`);
    return [
      () => ask(desdemona, `PATCH /streams/${id}`, { is_archived: false }),
      () => ask(cordelia, 'DELETE /users/me/subscriptions', { subscriptions: [named('channel')] }),
    ];
  });
});

test('a user joins a channel while it is archived', async () => {
  const { desdemona, iago, cordelia } = chat.people;
  await expectExplained(async () => {
    const id = await addChannel([iago]);
    return [() => ask(desdemona, `DELETE /streams/${id}`), () => subscribe(cordelia, [])];
  });
});

test('a user leaves a group while it gets access to a private channel, and joins it while a channel becomes private', async () => {
  const { desdemona, cordelia } = chat.people;
  await expectExplained(async () => {
    const members = { members: [cordelia.user.id, desdemona.user.id] };
    const group = { name: named('group'), description: '', ...members };
    const created = await ask(desdemona, 'POST /user_groups/create', group);
    const other = { name: named('other'), description: '', members: [desdemona.user.id] };
    const joined = await ask(desdemona, 'POST /user_groups/create', other);
    const [left, entered] = [Number(created['group_id']), Number(joined['group_id'])];
    const closed = await addChannel([desdemona], { invite_only: true });
    const open = await addChannel([desdemona], {
      name: named('open'),
      can_subscribe_group: entered,
    });
    const own = [cordelia.user.id];
    return [
      () => ask(desdemona, `PATCH /streams/${closed}`, { can_subscribe_group: { new: left } }),
      () => ask(desdemona, `POST /user_groups/${left}/members`, { delete: own }),
      () => ask(desdemona, `PATCH /streams/${open}`, { is_private: true }),
      () => ask(desdemona, `POST /user_groups/${entered}/members`, { add: own }),
    ];
  });
});

test('several channels become default channels, and one of a default channel group is archived', async () => {
  const { desdemona } = chat.people;
  await expectExplained(async () => {
    const ids: number[] = [];
    for (const n of [1, 2, 3, 4])
      ids.push(await addChannel([desdemona], { name: named(`default ${n}`) }));
    const last = await addChannel([desdemona]);
    const group = { group_name: named('group'), description: '', stream_names: [named('channel')] };
    return [
      ...ids.map((stream_id) => () => ask(desdemona, 'POST /default_streams', { stream_id })),
      () => ask(desdemona, `DELETE /streams/${last}`),
      () => ask(desdemona, 'POST /default_stream_groups/create', group),
    ];
  });
});

test('a user whom a guest does not see is renamed while they join the channel of the guest', async () => {
  const { desdemona, polonius } = chat.people;
  await expectExplained(async () => {
    const stranger = await chat.addPerson(named('stranger'));
    await addChannel([desdemona, polonius]);
    return [
      () => subscribe(desdemona, [stranger]),
      async () => {
        // The guest is told of the user while their name changes.
        await new Promise((resolve) => setTimeout(resolve, 3 + (round % 4)));
        return ask(stranger, 'PATCH /settings', { full_name: named('Renamed') });
      },
    ];
  });
});

test('a bot that is created while its owner is deactivated does not stay active', async () => {
  const { iago } = chat.people;
  let owner: Person;
  await expectExplained(
    async () => {
      owner = await chat.addPerson(named('owner'));
      const bot = { full_name: named('Bot'), short_name: `bot${round}` };
      return [
        () => ask(iago, `DELETE /users/${owner.user.id}`),
        () => ask(owner, 'POST /bots', bot),
      ];
    },
    async () => {
      const { members } = await iago.client.users.list();
      const bots = members.filter(({ bot_owner_id }) => bot_owner_id === owner.user.id);
      expect(bots.filter(({ is_active }) => is_active)).toEqual([]);
    },
  );
});

test('a topic is moved to a channel that is archived: before the archiving, or not at all', async () => {
  const { desdemona, iago, hamlet, cordelia } = chat.people;
  await expectExplained(
    async () => {
      const from = await addChannel([iago, hamlet], { name: named('from') });
      const to = await addChannel([iago, hamlet, cordelia]);
      const message = { type: 'channel', to: from, topic: 'plans', content: 'x' };
      const { id } = await ask(iago, 'POST /messages', message);
      const move = { stream_id: to, propagate_mode: 'change_all' };
      return [
        () => ask(iago, `PATCH /messages/${String(id)}`, move),
        () => ask(desdemona, `DELETE /streams/${to}`),
      ];
    },
    (events) => {
      const moved = events.findIndex(({ type }) => type === 'update_message');
      const archived = events.findIndex(
        (event) =>
          event.type === 'stream' && 'property' in event && event.property === 'is_archived',
      );
      expect(archived).toBeGreaterThan(-1);
      expect(moved).toBeLessThan(archived);
    },
  );
});

test('the empty topic of a channel is renamed while the channel becomes empty_topic_only: one of both is refused', async () => {
  const { desdemona, iago } = chat.people;
  let answers: Fields[] = [];
  await expectExplained(
    async () => {
      answers = [];
      const stream_id = await addChannel([iago]);
      await ask(desdemona, `POST /streams/${stream_id}/delete_topic`, {
        topic_name: 'channel events',
      });
      const message = { type: 'channel', to: stream_id, topic: '', content: 'x' };
      const { id } = await ask(iago, 'POST /messages', message);
      const remember = async (answer: Promise<Fields>) => answers.push(await answer);
      const policy = { topics_policy: 'empty_topic_only' };
      return [
        () => remember(ask(iago, `PATCH /messages/${String(id)}`, { topic: 'plans' })),
        () => remember(ask(desdemona, `PATCH /streams/${stream_id}`, policy)),
      ];
    },
    () => {
      expect(answers).toHaveLength(2);
      expect(answers.filter(({ code }) => code === 'BAD_REQUEST')).toHaveLength(1);
      expect(answers.filter(({ result }) => result === 'success')).toHaveLength(1);
    },
  );
});
