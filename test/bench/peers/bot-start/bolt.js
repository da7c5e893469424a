import { imports, listening } from './measured.js';

const { App, LogLevel } = await import('@slack/bolt');
imports();
const authorize = async () => ({ botToken: 'xoxb-1', botId: 'B1', botUserId: 'U1' });
const app = new App({ signingSecret: 'secret', authorize, logLevel: LogLevel.ERROR });
app.message(async ({ message, say }) => say(message.text));
await app.start(0);
listening();
