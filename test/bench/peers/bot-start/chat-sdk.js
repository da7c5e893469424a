import { createServer } from 'node:http';

import { imports, listening } from './measured.js';

const [{ Chat }, { createTelegramAdapter }, { createMemoryState }] = await Promise.all([
  import('chat'),
  import('@chat-adapter/telegram'),
  import('@chat-adapter/state-memory'),
]);
imports();
const telegram = createTelegramAdapter({
  botToken: '1:unused',
  mode: 'webhook',
  secretToken: 'secret',
});
const chat = new Chat({ userName: 'echo', adapters: { telegram }, state: createMemoryState() });
chat.onNewMention((thread, message) => thread.post(message.text));
const server = createServer((request, response) => {
  const body = request.method === 'POST' ? request : undefined;
  const init = { method: request.method, headers: request.headers, body, duplex: 'half' };
  void chat.webhooks
    .telegram(new Request('http://127.0.0.1/', init))
    .then(({ status }) => response.writeHead(status).end());
});
server.listen(0, '127.0.0.1', listening);
