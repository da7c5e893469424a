import { serveChat } from './chat-sdk.js';
import { imports } from './measured.js';

const [{ Chat }, { createSlackAdapter }, { createMemoryState }] = await Promise.all([
  import('chat'),
  import('@chat-adapter/slack'),
  import('@chat-adapter/state-memory'),
]);
imports();
const { API_URL: apiUrl, SECRET: signingSecret } = process.env;
const slack = createSlackAdapter({ botToken: 'xoxb-1', signingSecret, apiUrl });
const chat = new Chat({
  userName: 'echo',
  adapters: { slack },
  state: createMemoryState(),
  logger: 'error',
});
serveChat(chat, chat.webhooks.slack);
