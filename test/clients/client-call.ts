import type { TestChat } from '@bellhop/server/testing';

/** A value of a request as the Python client has it: texts go as they are, the rest as JSON. */
export type PythonValue = string | number | boolean | object | null;

/** One call of a public client: `GET /users/me`, and what the client reads from the answer. */
export interface ClientCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly params?: Readonly<Record<string, PythonValue>>;
  /** The keys that the client reads without a default, as paths: `messages.0.id`. */
  readonly reads?: readonly string[];
  /** The parameters that the client sends and the endpoint does not take. */
  readonly ignored?: readonly string[];
  /** The caller; the owner of the organization by default. */
  readonly as?: 'bot';
  /** Sent as a multipart file. */
  readonly file?: { readonly name: string; readonly content: Uint8Array<ArrayBuffer> };
}

export type MakeCall = (chat: TestChat) => Promise<ClientCall> | ClientCall;

let count = 0;
/** A number that no other call has. */
export const nextNumber = () => ++count;
/** A name that no other call has. */
export const freshName = (prefix: string) => `${prefix} ${nextNumber()}`;
export const owner = ({ people }: TestChat) => people.desdemona;

/** A new channel of the owner. */
export async function channel(chat: TestChat): Promise<{ name: string; stream_id: number }> {
  const name = freshName('channel');
  await owner(chat).client.subscriptions.add({ subscriptions: [{ name }] });
  const { stream_id } = await owner(chat).client.channels.id({ stream: name });
  return { name, stream_id };
}

/** A message of the owner in a new channel, with the channel. */
export async function message(chat: TestChat) {
  const to = await channel(chat);
  const sent = { type: 'channel', to: to.name, topic: 'greetings', content: 'hello' } as const;
  const { id } = await owner(chat).client.messages.send(sent);
  return { ...to, id };
}
