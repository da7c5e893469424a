import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { type Client, createClient, eventStream } from '@bellhop/client';
import { z } from 'zod';

import { type History, reactionTo, starOf } from './history.ts';
import { PASSWORD, type Person } from './people.ts';
import { addPhones } from './phones.ts';
import type { Cluster } from './start-cluster.ts';

export const OPEN = 'open';
export const CLOSED = 'closed';
const WRITERS = 8;
const PAUSE_MS = 100;
const CALL_MS = 30_000;

/** Clients that write, flag, react and read all the time. */
export interface Load extends AsyncDisposable {
  /** Those who write and read. The first half reads the private channel too. */
  readonly people: readonly Person[];
  /** Those who are never online. */
  readonly phones: readonly Person[];
  /** Waits for the calls under way. The readers go on. */
  readonly stopWriting: () => Promise<void>;
}

const MessageEvent = z.object({ message: z.object({ id: z.int(), content: z.string() }) });
/** `writer 3 message 17`, in a message of a writer. */
const KEY = /writer \d+ message \d+/;

interface LoadOptions {
  readonly history: History;
  readonly random: () => number;
}

/** Makes people, an open and a private channel and a bot, and starts them. */
export async function startLoad(cluster: Cluster, { history, random }: LoadOptions): Promise<Load> {
  const { url, simulator, bouncerKey } = cluster;
  await using stack = new AsyncDisposableStack();
  const owner = createClient({ url, ...cluster.owner });
  const people: Person[] = [];
  const ids = [];
  for (let n = 0; n < WRITERS; n++) {
    const email = `writer${n}@chat.test`;
    const { user_id } = await owner.users.create({
      email,
      full_name: `Writer ${n}`,
      password: PASSWORD,
    });
    const { api_key: apiKey } = await owner.accounts.fetchApiKey({
      username: email,
      password: PASSWORD,
    });
    ids.push(user_id);
    people.push({
      name: `writer ${n}`,
      client: createClient({ url, email, apiKey, timeoutMs: CALL_MS }),
    });
  }
  await owner.subscriptions.add({ subscriptions: [{ name: OPEN }], principals: ids });
  // The first half of the people; the others must see nothing of it.
  const insiders = ids.slice(0, WRITERS / 2);
  await owner.subscriptions.add({
    subscriptions: [{ name: CLOSED }],
    principals: insiders,
    invite_only: true,
  });
  const endpoint = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { message } = JSON.parse(Buffer.concat(chunks).toString()) as {
        message: { id: number };
      };
      history.deliveries.set(message.id, (history.deliveries.get(message.id) ?? 0) + 1);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ content: `reply to ${message.id}` }));
    });
  }).listen(0, '127.0.0.1');
  await once(endpoint, 'listening');
  stack.defer(async () => {
    endpoint.closeAllConnections();
    await once(endpoint.close(), 'close');
  });
  const bot = await owner.bots.create({
    full_name: 'Answer',
    short_name: 'answer',
    bot_type: 3,
    payload_url: `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/`,
  });
  await owner.subscriptions.add({ subscriptions: [{ name: OPEN }], principals: [bot.user_id] });

  const phones = await addPhones({ url, owner, simulator, publicKey: bouncerKey, history });

  const reading = new AbortController();
  const begun: Promise<void>[] = [];
  const readers = people.map((person) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    begun.push(promise);
    return read(person, history, { signal: reading.signal, onBegin: resolve });
  });
  stack.defer(async () => {
    reading.abort();
    await Promise.all(readers);
  });
  await Promise.race([Promise.all(begun), ...readers]);
  let isStopped = false;
  const write = async ({ name, client }: Person, at: number) => {
    for (let message = 0; !isStopped; message++) {
      const key = `${name} message ${message}`;
      const kind = random();
      const phone = kind < 0.1 ? phones[message % phones.length] : undefined;
      const isClosed = !phone && at < WRITERS / 2 && kind < 0.4;
      const isMention = !phone && !isClosed && kind > 0.95;
      const content = isMention ? `@**Answer** ${key}` : key;
      if (isClosed) history.closed.add(key);
      if (phone) history.direct.set(key, phone.name);
      const to = isClosed ? CLOSED : OPEN;
      try {
        const { id } = await client.messages.send(
          phone
            ? { type: 'direct', to: [phone.id], content }
            : { type: 'channel', to, topic: name, content },
          { retryPolicy: false },
        );
        history.acknowledged.set(key, id);
        history.times.set(key, history.now());
        history.success();
        if (isMention) history.mentions.add(id);
        if (random() < 0.1) {
          await client.messages.setFlag(
            { messages: [id], op: 'add', flag: 'starred' },
            { retryPolicy: false },
          );
          history.stars.set(id, name);
          history.times.set(starOf(id), history.now());
        }
        if (random() < 0.1) {
          await client.reactions.add(
            { message_id: id, emoji_name: 'tada' },
            { retryPolicy: false },
          );
          history.reactions.set(id, name);
          history.times.set(reactionTo(id), history.now());
        }
      } catch (error) {
        history.failure(error);
        await sleep(PAUSE_MS);
      }
    }
  };
  const writing = Promise.all(people.map(write));
  const stopWriting = async () => {
    isStopped = true;
    await writing;
  };
  stack.defer(stopWriting);
  const parts = stack.move();
  return { people, phones, stopWriting, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}

/** More messages than are under way at a time: one with a lower ID may be stored later. */
const AT_ONCE = 1000;

/** Follows the queue of a person. What came while they had none is fetched, as clients do. */
async function read(
  { name, client }: Person,
  history: History,
  { signal, onBegin }: { readonly signal: AbortSignal; readonly onBegin: () => void },
): Promise<void> {
  const seen: string[] = [];
  history.seen.set(name, seen);
  let newest = 0;
  const noted = new Set<number>();
  /** Of these an event may come too: they were stored after the queue began. */
  const fetched = new Set<number>();
  const note = ({ id, content }: { readonly id: number; readonly content: string }) => {
    newest = Math.max(newest, id);
    noted.add(id);
    const key = KEY.exec(content)?.[0];
    if (key !== undefined && !content.startsWith('reply')) seen.push(key);
  };
  const registration = { event_types: ['message'], fetch_event_types: ['message'] };
  const stream = eventStream(client, registration, { signal });
  for await (const item of stream) {
    if (item.kind === 'event') {
      const { message } = MessageEvent.parse(item.event);
      if (!fetched.delete(message.id)) note(message);
      continue;
    }
    const max = item.state.max_message_id ?? 0;
    if (newest > 0)
      for (const message of await messagesAfter(client, Math.max(0, newest - AT_ONCE)))
        if (message.id <= max && !noted.has(message.id)) {
          fetched.add(message.id);
          note(message);
        }
    newest = Math.max(newest, max);
    onBegin();
  }
}

/** All messages of a person after one, oldest first. */
export async function messagesAfter(client: Client, after: number) {
  const all = [];
  for (let anchor = after; ;) {
    const page = await client.messages.fetch(
      {
        anchor: String(anchor),
        include_anchor: false,
        num_before: 0,
        num_after: 1000,
        apply_markdown: false,
      },
      { retryPolicy: { retries: 20 } },
    );
    all.push(...page.messages);
    anchor = page.messages.at(-1)?.id ?? anchor;
    if (page.found_newest) return all;
  }
}
