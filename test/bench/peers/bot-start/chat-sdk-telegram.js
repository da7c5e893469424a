import { serveChat } from './chat-sdk.js';
import { imports } from './measured.js';

const [{ Chat }, { createTelegramAdapter }, { createMemoryState }] = await Promise.all([
  import('chat'),
  import('@chat-adapter/telegram'),
  import('@chat-adapter/state-memory'),
]);
imports();
const { API_URL: apiUrl, SECRET: secretToken } = process.env;
const telegram = createTelegramAdapter({
  botToken: '1:unused',
  mode: 'webhook',
  secretToken,
  apiUrl,
});
const chat = new Chat({
  userName: 'echo',
  adapters: { telegram },
  state: createMemoryState(),
  logger: 'error',
});
serveChat(chat, chat.webhooks.telegram);
