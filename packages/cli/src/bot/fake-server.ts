import {
  defineCommand,
  parseHttpUrl,
  parseNumber,
  untilSignal,
  UserError,
  valueFlag,
} from '@bellhop/bot-cli/command-line';
import { type FakeUser, fakeServer as startFakeServer } from '@bellhop/fake-server';
import { PortTaken } from '@bellhop/http';

export const fakeServer = defineCommand({
  description: `Speaks the REST API and delivers to the bot's webhook as a server does: signature, time-out,
retries, "Failure!". Forgets everything when it stops. Prints one line of JSON once it listens:

  { url, user: { user_id, email, api_key }, owner: {...}, channel: { stream_id, name },
    bot: { user_id, email, api_key, full_name, token } }

Send a message as the user to make something happen:

  curl -su EMAIL:API_KEY URL/api/v1/messages -d type=direct -d 'to=[BOT_USER_ID]' -d content=hello`,
  flags: {
    port: valueFlag('The port; 0 is any free one', 'number', parseNumber, '0'),
    bot: valueFlag(
      'Where the bot listens for webhooks; without it the bot has only the event queue',
      'url',
      parseHttpUrl,
    ),
    name: valueFlag("The bot's name", 'name', String, 'Bot'),
    timeout: valueFlag(
      'How long the bot may take to answer, in seconds',
      'seconds',
      parseNumber,
      '10',
    ),
    retry: valueFlag(
      'Waits before further attempts after a time-out, in seconds; "" for none',
      'seconds',
      (text) => text.split(',').filter(Boolean).map(parseNumber),
      '1,5,30',
    ),
  },
  run({ port, bot: payloadUrl, name, timeout, retry }) {
    return untilSignal({
      async start() {
        const server = await startFakeServer({
          port,
          webhookTimeoutMs: timeout * 1000,
          webhookRetryMs: retry.map((seconds) => seconds * 1000),
        }).catch((error: unknown) => {
          throw error instanceof PortTaken
            ? new UserError(`${error.message}: choose another with --port.`)
            : error;
        });
        const user = server.addUser('User');
        const owner = server.addUser('Owner');
        const webhook = payloadUrl === undefined ? {} : { payloadUrl };
        const bot = server.addBot({ name, owner, ...webhook });
        const channel = server.addChannel('general', { subscribers: [user, owner, bot] });
        console.log(
          JSON.stringify({
            url: server.url,
            user: accountOf(user),
            owner: accountOf(owner),
            bot: { ...accountOf(bot), token: bot.token },
            channel: { stream_id: channel.id, name: channel.name },
          }),
        );
        return server.stop;
      },
    });
  },
});

const accountOf = ({ id, email, fullName, apiKey }: FakeUser) => ({
  user_id: id,
  email,
  full_name: fullName,
  api_key: apiKey,
});
