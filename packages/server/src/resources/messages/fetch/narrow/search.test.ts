import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../../../test-chat.fixture.ts';
import { addChannel } from '../../../channels/channels.fixture.ts';

let chat: TestChat;
let hamlet: Person;
beforeAll(async () => {
  chat = await startTestChat();
  hamlet = chat.people.hamlet;
  await addChannel(chat, { name: 'stage', subscribers: [hamlet] });
  const say = (content: string, topic = 'words') =>
    hamlet.client.messages.send({ type: 'channel', to: 'stage', topic, content });
  await say('The **players** are playing, the play runs');
  await say('see [the playbill](https://play.example/plays?a=1&b=2) and `play <b>`');
  await say('to be or not to be');
  await say('or not, be that as it may; 100% sure_thing');
  await say('nothing here', 'Play & rest');
  await say('Rosencrantz and Guildenstern are dead');
  await say('Guildenstern and Rosencrantz live');
});
afterAll(() => chat[Symbol.asyncDispose]());

async function search(...operands: string[]) {
  const narrow = operands.map((operand) => ({ operator: 'search', operand }));
  const ask = { anchor: 'newest', num_before: 50, num_after: 0, narrow };
  return (await hamlet.client.messages.fetch({ ...ask, apply_markdown: false })).messages;
}
const contents = async (...operands: string[]) =>
  (await search(...operands)).map(({ content }) => content);

test('search matches words in any form and highlights them in content and topic, never inside a tag', async () => {
  const marked = (text: string) => `<span class="highlight">${text}</span>`;
  const messages = await search('plays');
  expect(messages.map(({ match_content }) => match_content)).toEqual([
    `<p>The <strong>players</strong> are ${marked('playing')}, the ${marked('play')} runs</p>`,
    `<p>see <a href="https://play.example/plays?a=1&amp;b=2">the playbill</a> and <code>${marked('play')} &lt;b&gt;</code></p>`,
    '<p>nothing here</p>',
  ]);
  expect(messages.map(({ match_subject }) => match_subject)).toEqual([
    'words',
    'words',
    `${marked('Play')} &amp; rest`,
  ]);
});

test('a page of a search is the same around every anchor, whether messages nearby fill it or not', async () => {
  const narrow = [{ operator: 'search', operand: 'play' }];
  const found = (await search('play')).map(({ id }) => id);
  expect(found).toHaveLength(3);
  const all = await hamlet.client.messages.fetch({
    anchor: 'newest',
    num_before: 50,
    num_after: 0,
  });
  for (const { id: anchor } of all.messages)
    for (const count of [0, 1, 2, 50]) {
      const ask = { anchor, num_before: count, num_after: count, narrow };
      const { messages, ...ends } = await hamlet.client.messages.fetch(ask);
      const before = found.filter((id) => id < anchor);
      const after = found.filter((id) => id > anchor);
      const at = found.filter((id) => id === anchor);
      const shown = [
        ...before.toReversed().slice(0, count).toReversed(),
        ...at,
        ...after.slice(0, count),
      ];
      expect(messages.map(({ id }) => id)).toEqual(shown);
      expect(ends).toMatchObject({
        anchor,
        found_anchor: at.length > 0,
        found_oldest: before.length < count,
        found_newest: after.length < count,
      });
    }
  const newest = { anchor: 'newest', num_before: 1, num_after: 0, narrow };
  const page = await hamlet.client.messages.fetch(newest);
  expect(page).toMatchObject({ found_oldest: false, found_newest: true });
  expect(page.messages.map(({ id }) => id)).toEqual(found.slice(-1));
  expect(page.messages[0]).toHaveProperty('match_content');
});

test('messages fetched without a search have no highlights', async () => {
  const { messages } = await hamlet.client.messages.fetch({ anchor: 'newest', num_before: 1 });
  expect(messages).toHaveLength(1);
  expect(messages[0]).not.toHaveProperty('match_content');
});

test('search matches messages with every word of all search terms', async () => {
  expect(await contents('rosencrantz dead')).toEqual(['Rosencrantz and Guildenstern are dead']);
  expect(await contents('rosencrantz', 'live')).toEqual(['Guildenstern and Rosencrantz live']);
  expect(await contents('rosencrantz players')).toEqual([]);
});

test('search matches a quoted phrase only in its word order', async () => {
  expect(await contents('"rosencrantz and guildenstern"')).toEqual([
    'Rosencrantz and Guildenstern are dead',
  ]);
  expect(await contents('"players are playing" run')).toHaveLength(1);
  expect(await contents('dead "guildenstern and rosencrantz"')).toEqual([]);
});

test.each(['“to be”', '”to be”', '„to be“', '«to be»', '＂to be＂'])(
  'search takes %s as a quoted phrase',
  async (phrase) => {
    expect(await contents(phrase)).toEqual(['to be or not to be']);
    expect(await contents(`${phrase} rosencrantz`)).toEqual([]);
  },
);

test('search compares a quoted phrase of stop words letter by letter', async () => {
  expect(await contents('"to be"')).toEqual(['to be or not to be']);
  expect(await contents('"to be" rosencrantz')).toEqual([]);
  expect(await contents('"of%this"')).toEqual([]);
});

test('stop words alone match nothing; with other words search ignores them', async () => {
  expect(await contents('to be or')).toEqual([]);
  expect(await contents('the players')).toHaveLength(1);
});

test('search accepts punctuation and quotes as text', async () => {
  for (const operand of [`' & | ! :* <->`, '"', '""', '100% \\', "o'neill", ':*', '\u2714'])
    expect(await contents(operand)).toBeInstanceOf(Array);
});

test('a negated search omits its matches', async () => {
  const narrow = [{ operator: 'search', operand: 'rosencrantz', negated: true }];
  const ask = { anchor: 'newest', num_before: 50, num_after: 0, narrow };
  const { messages } = await hamlet.client.messages.fetch(ask);
  expect(messages).toHaveLength(5);
});

test('search finds a word of more than 2000 messages, newest first', async () => {
  const db = chat.server.app.db.kysely;
  const { id } = await hamlet.client.messages.send({
    type: 'direct',
    to: [hamlet.user.id],
    content: 'a common word',
  });
  await sql`insert into message (realm_id, sender_id, recipient_id, content, rendered_content, sent_at, client)
    select realm_id, sender_id, recipient_id, content, rendered_content, sent_at, client
    from message, generate_series(1, 2100) where id = ${id}`.execute(db);
  await sql`insert into user_message (realm_id, user_id, message_id)
    select realm_id, sender_id, id from message where id > ${id}`.execute(db);
  const narrow = [{ operator: 'search', operand: 'commonly' }];
  const ask = { anchor: 'newest', num_before: 3, num_after: 0, narrow };
  const { messages } = await hamlet.client.messages.fetch(ask);
  const newest = await hamlet.client.messages.fetch({ ...ask, narrow: [] });
  expect(messages.map((message) => message.id)).toEqual(newest.messages.map((one) => one.id));
  expect(messages[0]?.match_content).toMatch('<span class="highlight">common</span>');
  const all = await hamlet.client.messages.fetch({ ...ask, num_before: 2500 });
  expect(all.messages).toHaveLength(2101);
  expect(all.found_oldest).toBe(true);
});

test('search finds what the reader may read behind thousands of matches that they may not', async () => {
  const db = chat.server.app.db.kysely;
  const send = (client: typeof hamlet.client, to: number, content: string) =>
    client.messages.send({ type: 'direct', to: [to as typeof hamlet.user.id], content });
  const own = [];
  for (const n of [1, 2, 3, 4])
    own.push((await send(hamlet.client, hamlet.user.id, `quokka ${n}`)).id);
  const { iago } = chat.people;
  const { id } = await send(iago.client, iago.user.id, 'a quokka of another');
  await sql`insert into message (realm_id, sender_id, recipient_id, content, rendered_content, sent_at, client)
    select realm_id, sender_id, recipient_id, content, rendered_content, sent_at, client
    from message, generate_series(1, 4200) where id = ${id}`.execute(db);
  const last = await send(hamlet.client, hamlet.user.id, 'a quokka at last');
  const ask = { narrow: [{ operator: 'search', operand: 'quokka' }] };
  const older = await hamlet.client.messages.fetch({
    ...ask,
    anchor: String(last.id),
    num_before: 3,
    num_after: 2,
  });
  expect(older.messages.map((one) => one.id)).toEqual([...own.slice(1), last.id]);
  expect(older).toMatchObject({ found_oldest: false, found_newest: true, found_anchor: true });
  const newer = await hamlet.client.messages.fetch({
    ...ask,
    anchor: String(own[3]),
    include_anchor: false,
    num_after: 1,
  });
  expect(newer.messages.map((one) => one.id)).toEqual([last.id]);
});

/** Texts of 10,000 characters for which PostgreSQL's text parser alone takes 0.1 to 0.9 s. */
const slowTexts = ['_a'.repeat(4990), './'.repeat(4990), '<!--'.repeat(2495)];

test('texts that are slow to index take no longer than others, and are found', async () => {
  const timed = async (word: string, texts: readonly string[]) => {
    const begun = performance.now();
    const sends = Array.from({ length: 12 }, (_, at) =>
      hamlet.client.messages.send({
        type: 'channel',
        to: 'stage',
        topic: 'slow',
        content: `${word} ${texts[at % texts.length]}`,
      }),
    );
    await Promise.all(sends);
    expect(await search(word)).toHaveLength(12);
    return performance.now() - begun;
  };
  const timesAsLong: number[] = [];
  // One of three rounds is enough: other work on the machine may slow down the others.
  for (let round = 1; round <= 3 && !timesAsLong.some((times) => times < 5); round += 1) {
    const ordinary = await timed(`hare${round}`, ['over the lawn '.repeat(700)]);
    timesAsLong.push((await timed(`tortoise${round}`, slowTexts)) / ordinary);
  }
  // Without bounds they take more than ten times as long.
  expect(Math.min(...timesAsLong)).toBeLessThan(5);
});

test('a long address is found by itself and by its host', async () => {
  const address = `https://archive.example/${'folio/'.repeat(20)}42`;
  const content = `look at ${address} tonight`;
  await hamlet.client.messages.send({ type: 'channel', to: 'stage', topic: 'links', content });
  expect(await contents(address)).toEqual([content]);
  expect(await contents('archive.example')).toEqual([content]);
});

test('a word of more than 200 characters is found', async () => {
  const content = `key ${'0123456789abcdef'.repeat(32)} end`;
  await hamlet.client.messages.send({ type: 'channel', to: 'stage', topic: 'keys', content });
  expect(await contents(content.split(' ')[1] ?? '')).toEqual([content]);
});

test('search terms of more than 1000 characters together are rejected', async () => {
  const refusal = {
    code: 'BAD_NARROW',
    message: expect.stringContaining('the search terms have more than 1000 characters'),
  };
  const long = 'verily '.repeat(35);
  expect(await contents(long, long, long, long)).toEqual([]);
  await expect(search(...Array.from({ length: 5 }, () => long))).rejects.toMatchObject(refusal);
  const term = { operator: 'search', operand: long, negated: true };
  const narrow = Array.from({ length: 5 }, () => term);
  await expect(
    hamlet.client.messages.fetch({ anchor: 'newest', num_before: 1, narrow }),
  ).rejects.toMatchObject(refusal);
});
