import { createServer } from 'node:http';

import { listen } from './measured.js';

/** Serves the webhook of a Chat, and repeats messages. */
export function serveChat(chat, webhook) {
  const repeat = (thread, message) => thread.post(message.text);
  chat.onNewMention(repeat);
  const server = createServer((request, response) => {
    const body = request.method === 'POST' ? request : undefined;
    const init = { method: request.method, headers: request.headers, body, duplex: 'half' };
    webhook(new Request('http://127.0.0.1/', init)).then(
      ({ status }) => response.writeHead(status).end(),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  listen(server);
}
