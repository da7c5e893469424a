import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import { fakeServer } from '@bellhop/fake-server';
import { listen } from '@bellhop/http';

/** A chat platform on loopback: it calls the webhook of a bot, and takes its reply. */
export interface Platform extends AsyncDisposable {
  /** The login of the bot, for its program. */
  readonly env: Readonly<Record<string, string>>;
  /** Sends a message to the bot, whose reply repeats it. Resolves when the reply has come. */
  readonly ask: (botUrl: string) => Promise<void>;
}

export type PlatformName = 'bellhop' | 'slack' | 'telegram';

export const platforms: Readonly<Record<PlatformName, () => Promise<Platform>>> = {
  bellhop,
  slack: () => withApi(slackAnswers, (url) => ({ API_URL: `${url}/`, SECRET }), slackEvent),
  telegram: () => withApi(telegramAnswers, (url) => ({ API_URL: url, SECRET }), telegramUpdate),
};

const SECRET = '8f742231b10e8888abcd99yyyzzz85a5';
/** The text that the bot repeats. */
const TEXT = 'a message that no program contains';

/** The reply comes in the response or by the API, as the program likes. */
async function bellhop(): Promise<Platform> {
  const server = await fakeServer();
  const ada = server.addUser('Ada');
  const bot = server.addBot({ name: 'Echo' });
  const { email, apiKey, token } = bot;
  const login = { BOT_EMAIL: email, BOT_API_KEY: apiKey, BOT_TOKEN: token };
  return {
    env: { ...login, BOT_SITE: server.url },
    async ask(botUrl) {
      bot.payloadUrl = botUrl;
      const conversation = () => server.conversation({ users: [ada, bot] });
      const before = conversation().length;
      ada.send(TEXT, { users: [bot] });
      await server.until(() => conversation().length === before + 2, 10_000);
    },
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

type Answers = (path: string) => object;
type Webhook = () => { readonly headers: Record<string, string>; readonly body: string };

/** A platform whose API answers what bots need, and takes the first call with the text for the reply. */
async function withApi(
  answers: Answers,
  env: (url: string) => Platform['env'],
  webhook: Webhook,
): Promise<Platform> {
  let replied = Promise.withResolvers<void>();
  const api = await listen((request, response) => {
    void bodyOf(request).then((body) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answers(request.url ?? '')));
      if (decodeURIComponent(body.replaceAll('+', ' ')).includes(TEXT)) replied.resolve();
    });
  });
  return {
    env: env(api.url),
    async ask(botUrl) {
      replied = Promise.withResolvers();
      const { status } = await fetch(botUrl, { method: 'POST', ...webhook() });
      if (status !== 200) throw new Error(`The bot has answered ${status}`);
      await replied.promise;
    },
    [Symbol.asyncDispose]: () => api.stop(0),
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}

let count = 0;

function slackEvent() {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const ts = `${timestamp}.${(count += 1)}`;
  const mention = { type: 'app_mention', user: 'U7', text: `<@U1> ${TEXT}`, channel: 'C1' };
  const body = JSON.stringify({
    type: 'event_callback',
    team_id: 'T1',
    api_app_id: 'A1',
    event_id: `E${ts}`,
    event_time: Number(timestamp),
    event: { ...mention, ts, event_ts: ts },
    authorizations: [{ team_id: 'T1', user_id: 'U1', is_bot: true }],
  });
  const signature = createHmac('sha256', SECRET).update(`v0:${timestamp}:${body}`).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'x-slack-request-timestamp': timestamp,
    'x-slack-signature': `v0=${signature}`,
  };
  return { headers, body };
}

const slackAnswers: Answers = () => ({
  ok: true,
  ts: '2.1',
  channel: 'C1',
  message: { ts: '2.1' },
  user_id: 'U1',
  bot_id: 'B1',
  team_id: 'T1',
  user: { id: 'U7', name: 'iago', real_name: 'Iago', profile: { display_name: 'Iago' } },
});

const chat = { id: 1, type: 'private', first_name: 'Iago' };
const botInfo = { id: 1, is_bot: true, first_name: 'Echo', username: 'echo_bot' };

function telegramUpdate() {
  const from = { id: 7, is_bot: false, first_name: 'Iago' };
  const message = { message_id: (count += 1), date: 1_790_000_000, chat, from, text: TEXT };
  const body = JSON.stringify({ update_id: 1000 + count, message });
  const headers = {
    'content-type': 'application/json',
    'x-telegram-bot-api-secret-token': SECRET,
  };
  return { headers, body };
}

const telegramAnswers: Answers = (path) => ({
  ok: true,
  result: path.endsWith('/getMe') ? botInfo : { message_id: 2, date: 1, chat, from: botInfo },
});
