import { imports, listening } from './measured.js';

const { App, LogLevel } = await import('@slack/bolt');
imports();
const { API_URL: slackApiUrl, SECRET: signingSecret } = process.env;
const authorize = async () => ({ botToken: 'xoxb-1', botId: 'B1', botUserId: 'U1' });
const app = new App({
  signingSecret,
  authorize,
  logLevel: LogLevel.ERROR,
  clientOptions: { slackApiUrl },
});
app.event('app_mention', async ({ event, say }) => say(event.text));
const server = await app.start(0);
listening(`http://127.0.0.1:${server.address().port}/slack/events`);
