import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { type ChannelId, Message } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { User } from '../../engine/caller.ts';
import { createBot, type CreatedBot, type NewBot } from '../../model/bots/create-bot.ts';
import * as realms from '../../model/realms/queries.ts';
import type { Person, TestChat } from '../../test-chat.fixture.ts';

export interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}
type ScriptedResponse = string | ((response: ServerResponse, received: ReceivedRequest) => void);

/**
 * An address at which nothing listens: its port is none of those that the system gives to servers. It gives
 * the port of a server that has closed to that of another test.
 */
export const NOBODY = 'http://127.0.0.1:1025/hook';

/** A webhook endpoint on loopback. It responds with `{}` until `answer` sets another response. */
export async function startReceiver() {
  const received: ReceivedRequest[] = [];
  const arrivals = new EventTarget();
  let answer: ScriptedResponse = '{}';
  let taken = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one = { headers: request.headers, body: Buffer.concat(chunks).toString('utf8') };
      received.push(one);
      arrivals.dispatchEvent(new Event('arrival'));
      if (typeof answer === 'string') response.end(answer);
      else answer(response, one);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answer: (next: ScriptedResponse) => {
      answer = next;
    },
    /** Waits for the next request. */
    async next(): Promise<ReceivedRequest> {
      while (received.length <= taken) await once(arrivals, 'arrival');
      const one = received[taken++];
      if (!one) throw new Error('Nothing was received');
      return one;
    },
    /** Skips the requests that have arrived. */
    forget: () => {
      taken = received.length;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Responds with a status and a body. */
export const status =
  (code: number, body = '', headers: Record<string, string> = {}): ScriptedResponse =>
  (response) => {
    response.writeHead(code, headers).end(body);
  };

/** Creates an outgoing webhook bot of hamlet. */
export function addWebhookBot(
  chat: TestChat,
  payload_url: string,
  bot: Partial<NewBot> & { interface_type?: 1 | 2 } = {},
): Promise<CreatedBot & { token: string }> {
  const { app } = chat.server;
  const { interface_type = 1, ...rest } = bot;
  return app.change(chat.realm, async ({ db }) => {
    await realms.lock(db, chat.realm.id);
    const made = await createBot(
      db,
      { realm: chat.realm, secrets: app.secrets, domain: 'chat.test' },
      {
        owner_id: chat.people.hamlet.user.id,
        full_name: 'Echo',
        short_name: 'echo',
        bot_type: 3,
        webhook: { payload_url, interface_type },
        ...rest,
      },
    );
    if (made.token === null) throw new Error('The bot has no token');
    return { ...made, token: made.token };
  });
}

/** Creates a channel with these subscribers. */
export async function addChannel(
  chat: TestChat,
  name: string,
  subscribers: readonly { readonly user: User }[],
  { invite_only = false }: { invite_only?: boolean } = {},
): Promise<ChannelId> {
  const { client } = chat.people.desdemona;
  await client.subscriptions.add({
    subscriptions: [{ name }],
    principals: subscribers.map(({ user }) => user.id),
    invite_only,
  });
  const { id } = await chat.server.app.db.kysely
    .selectFrom('channel')
    .select('id')
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return id;
}

/** The messages that a user receives from now on, with raw content. */
export async function inboxOf({ client }: Pick<Person, 'client'>) {
  const { queue_id, last_event_id } = await client.queues.register({
    event_types: ['message'],
    apply_markdown: false,
    client_capabilities: { notification_settings_null: false, empty_topic_name: true },
  });
  if (queue_id === null) throw new Error('no queue');
  let last = last_event_id;
  const arrived: Message[] = [];
  const poll = async (dont_block: boolean) => {
    const { events } = await client.queues.events({ queue_id, last_event_id: last, dont_block });
    for (const event of events) {
      last = event.id;
      if (event.type === 'message') arrived.push(Message.parse(event.message));
    }
  };
  return {
    async next(): Promise<Message> {
      while (arrived.length === 0) await poll(false);
      const message = arrived.shift();
      if (!message) throw new Error('no message');
      return message;
    },
    /** The messages that have arrived and were not read. */
    async rest(): Promise<Message[]> {
      await poll(true);
      return arrived.splice(0);
    },
  };
}

export interface QueuedDelivery {
  readonly id: string;
  readonly state: string;
  readonly failures: number;
  readonly reason: string | null;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** All deliveries of a server, oldest first. */
export async function deliveries(chat: TestChat): Promise<QueuedDelivery[]> {
  const { rows } = await sql<QueuedDelivery>`
    select id, state, failures, reason, payload from job
    where name = 'deliver_to_webhook' order by id`.execute(chat.server.app.db.kysely);
  return rows;
}
