import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

interface Payload {
  readonly bot_email: string;
  readonly token: string;
  readonly trigger: string;
  readonly message: { readonly id: number; readonly content: string };
}
interface Behaviour {
  readonly limit: number;
  /** Throws for a body that `refuse` answers. */
  readonly parse: (body: string) => Payload;
  /** Answers a body that `parse` has thrown on. */
  readonly refuse: (response: ServerResponse, error: unknown) => void;
  readonly isGenuine: (payload: Payload) => boolean;
  readonly unauthorized: (response: ServerResponse, payload: Payload) => void;
  readonly answer: (response: ServerResponse, payload: Payload) => void;
}

export const identity = {
  botEmail: 'echo-bot@chat.test',
  token: 'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY',
};

const correct: Behaviour = {
  limit: 1_000_000,
  parse(body) {
    const payload = JSON.parse(body) as Payload;
    const { bot_email, token, message } = payload;
    const texts = [bot_email, token, message.content];
    if (texts.some((text) => typeof text !== 'string')) throw new Error('not a delivery');
    return payload;
  },
  refuse: (response) => void response.writeHead(400).end(),
  isGenuine: ({ bot_email, token }) => bot_email === identity.botEmail && token === identity.token,
  unauthorized: (response) => void response.writeHead(401).end(),
  answer: (response, { message }) =>
    void response.end(JSON.stringify({ content: `You said ${message.content}` })),
};

/** A hand-written bot that is correct except for the given flaws. */
export function checkingBot(flaws: Partial<Behaviour> = {}): RequestListener {
  const { limit, parse, refuse, isGenuine, unauthorized, answer } = { ...correct, ...flaws };
  return (request, response) =>
    read(request, limit, (body) => {
      if (body === undefined) return void response.writeHead(413, { connection: 'close' }).end();
      let payload: Payload;
      try {
        payload = parse(body);
      } catch (error) {
        return refuse(response, error);
      }
      if (!isGenuine(payload)) return unauthorized(response, payload);
      answer(response, payload);
    });
}

function read(
  request: IncomingMessage,
  limit: number,
  then: (body: string | undefined) => void,
): void {
  let body = '';
  if (Number(request.headers['content-length'] ?? 0) > limit) return then(undefined);
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => {
    body += chunk;
    if (body.length <= limit) return;
    request.pause();
    then(undefined);
  });
  request.on('end', () => then(body));
}
