import { createClient } from '@bellhop/client';
import { type FakeUser, fakeServer } from '@bellhop/fake-server';
import { startTestChat } from '@bellhop/server/testing';
import { sql } from 'kysely';

export interface Login {
  readonly user_id: number;
  readonly email: string;
  readonly full_name: string;
  readonly apiKey: string;
}

interface NewBot {
  readonly name: string;
  readonly payloadUrl: string;
  readonly interface: 'generic' | 'slack';
}

/** The fake server or the real one behind one interface. */
export interface ChatDriver extends AsyncDisposable {
  readonly url: string;
  /** The owner of the bots, and another person. */
  readonly hamlet: Login;
  readonly cordelia: Login;
  readonly addBot: (bot: NewBot) => Promise<Login & { token: string }>;
  /** Resolves when no delivery is running. */
  readonly settled: () => Promise<void>;
}

interface ChatDriverOptions {
  /** How long the server waits for a bot. It repeats a delivery once, at once. */
  readonly webhookTimeoutMs?: number;
}

export async function fakeDriver({
  webhookTimeoutMs = 10_000,
}: ChatDriverOptions = {}): Promise<ChatDriver> {
  const server = await fakeServer({ webhookTimeoutMs, webhookRetryMs: [0] });
  const hamlet = server.addUser('Hamlet', { email: 'hamlet@chat.test' });
  const login = ({ id, email, fullName, apiKey }: FakeUser): Login => ({
    user_id: id,
    email,
    full_name: fullName,
    apiKey,
  });
  return {
    url: server.url,
    hamlet: login(hamlet),
    cordelia: login(server.addUser('Cordelia', { email: 'cordelia@chat.test' })),
    async addBot(about) {
      const bot = server.addBot({ ...about, owner: hamlet });
      return { ...login(bot), token: bot.token };
    },
    settled: server.settled,
    [Symbol.asyncDispose]: server.stop,
  };
}

export async function realDriver({
  webhookTimeoutMs = 10_000,
}: ChatDriverOptions = {}): Promise<ChatDriver> {
  const env = {
    BELLHOP_WEBHOOK_TIMEOUT: String(webhookTimeoutMs / 1000),
    BELLHOP_WEBHOOK_RETRY: '0',
  };
  const chat = await startTestChat({ env });
  const login = ({ user, email, api_key: apiKey }: typeof chat.people.hamlet): Login => ({
    user_id: user.id,
    email,
    full_name: user.full_name,
    apiKey,
  });
  const { hamlet, cordelia } = chat.people;
  const { kysely } = chat.server.app.db;
  return {
    url: chat.url,
    hamlet: login(hamlet),
    cordelia: login(cordelia),
    async addBot({ name: full_name, payloadUrl: payload_url, interface: form }) {
      const short_name = full_name.toLowerCase();
      const { api_key: apiKey, user_id } = await hamlet.client.bots.create({
        full_name,
        short_name,
        bot_type: 3,
        payload_url,
        interface_type: form === 'slack' ? 2 : 1,
      });
      const { realm_bots = [] } = await createClient({
        url: chat.url,
        email: hamlet.email,
        apiKey: hamlet.api_key,
      }).queues.register({ event_types: ['realm_bot'] });
      const bot = realm_bots.find((one) => one.user_id === user_id);
      const [service] = bot?.services ?? [];
      const token = service && 'token' in service ? service.token : undefined;
      if (!bot || token === undefined) throw new Error('The bot has no token');
      return { user_id, email: bot.email, full_name, apiKey, token };
    },
    async settled() {
      for (;;) {
        const { rows } = await sql<{ running: number }>`
          select count(*)::int as running from job
          where name = 'deliver_to_webhook' and state not in ('done', 'dead')`.execute(kysely);
        if (rows[0]?.running === 0) return;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    [Symbol.asyncDispose]: () => chat[Symbol.asyncDispose](),
  };
}
