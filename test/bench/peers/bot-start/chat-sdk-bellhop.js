import { serveChat } from './chat-sdk.js';
import { imports } from './measured.js';

const [{ Chat }, { createBellhopAdapter }, { createMemoryState }] = await Promise.all([
  import('chat'),
  import('@bellhop/chat-adapter'),
  import('@chat-adapter/state-memory'),
]);
imports();
const bellhop = createBellhopAdapter();
const chat = new Chat({
  userName: 'echo',
  adapters: { bellhop },
  state: createMemoryState(),
  logger: 'error',
});
serveChat(chat, chat.webhooks.bellhop);
