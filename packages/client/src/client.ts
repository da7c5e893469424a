import { type Api, api } from '@bellhop/protocol';

import type { ClientOf, ClientOptions } from './ask.ts';
import { createClientFor } from './contract-client.ts';

export type { AskOptions, ClientOf, ClientOptions } from './ask.ts';
export * from './connection-failed.ts';
export * from './contract-client.ts';
export * from './event-stream.ts';
export * from './retry.ts';
export * from './sleep.ts';
export * from './unknown-route.ts';
export * from './upload-file.ts';
export { applyEvent, type StateOwner } from '@bellhop/protocol';
export type { Api, AskOf, Contract, QueuedEvent } from '@bellhop/protocol';
export type { FailedConnection } from './connection-failed.ts';

export type Client = ClientOf<Api>;

/** A client of the chat server, logged in with an e-mail address and an API key. */
export const createClient = (options: ClientOptions): Client => createClientFor(api, options);

/** Logs in with a password. Returns a client with the API key of the user. */
export async function logIn(
  options: Omit<ClientOptions, 'email' | 'apiKey'>,
  { username, password }: { username: string; password: string },
): Promise<Client> {
  const { api_key, email } = await createClient(options).accounts.fetchApiKey({
    username,
    password,
  });
  return createClient({ ...options, email, apiKey: api_key });
}
