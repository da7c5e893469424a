import { fakeServer } from '@bellhop/fake-server';
import { PortTaken } from '@bellhop/http';

import { Complaint, type Command } from '../command-line/command.ts';
import { untilSignal } from '../until-signal.ts';

export const botFakeServerCommand: Command = {
  usage: '[--port N] [--bot URL] [options]',
  help: `A chat server in memory, to test a bot in any language against: it speaks the REST API, delivers
to the bot's webhook as a server does (signature, time-out, retries, "Failure!"), and forgets
everything when it stops. Prints one line of JSON once it listens:

  { url, user: { user_id, email, api_key }, owner: {...}, channel: { stream_id, name },
    bot: { user_id, email, api_key, full_name, token } }

Speak as the user to make something happen:

  curl -su EMAIL:API_KEY URL/api/v1/messages -d type=direct -d 'to=[BOT_USER_ID]' -d content=hello

  --port N        the port; any free one unless said otherwise
  --bot URL       where the bot listens for webhooks; without it, it is told by the event queue only
  --name NAME     the bot's name; Bot
  --timeout SEC   how long the bot may take to answer; 10
  --retry SECS    waits before further attempts after a time-out, as 1,5,30; "" for none`,
  options: {
    port: { type: 'string' },
    bot: { type: 'string' },
    name: { type: 'string' },
    timeout: { type: 'string' },
    retry: { type: 'string' },
  },
  run({ options }) {
    const { port = '0', bot: payloadUrl, name = 'Bot', timeout = '10', retry = '1,5,30' } = options;
    const waits = String(retry).split(',').filter(Boolean);
    const server = {
      port: number('port', port),
      webhookTimeoutMs: number('timeout', timeout) * 1000,
      webhookRetryMs: waits.map((wait) => number('retry', wait) * 1000),
    };
    if (payloadUrl !== undefined && !URL.canParse(String(payloadUrl)))
      throw new Complaint(`--bot takes an address, not "${String(payloadUrl)}".`);
    return untilSignal({
      async start() {
        const started = await fakeServer(server).catch((error: unknown) => {
          throw error instanceof PortTaken
            ? new Complaint(`${error.message}: choose another with --port.`)
            : error;
        });
        const known = ({ user_id, email, full_name, apiKey: api_key }: Known) => ({
          user_id,
          email,
          full_name,
          api_key,
        });
        const user = started.addUser('User');
        const owner = started.addUser('Owner');
        const webhook = payloadUrl === undefined ? {} : { payloadUrl: String(payloadUrl) };
        const bot = started.addBot({ name: String(name), owner, ...webhook });
        const channel = started.addChannel('general', { subscribers: [user, owner, bot] });
        console.log(
          JSON.stringify({
            url: started.url,
            user: known(user),
            owner: known(owner),
            bot: { ...known(bot), token: bot.token },
            channel,
          }),
        );
        return started.stop;
      },
    });
  },
};

interface Known {
  readonly user_id: number;
  readonly email: string;
  readonly full_name: string;
  readonly apiKey: string;
}

function number(name: string, text: string | boolean | undefined): number {
  const value = Number(text);
  if (text === '' || !(value >= 0))
    throw new Complaint(`--${name} takes a number, not "${String(text)}".`);
  return value;
}
