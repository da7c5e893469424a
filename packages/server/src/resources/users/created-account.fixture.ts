import { type Client, logIn } from '@bellhop/client';
import type { UserId } from '@bellhop/protocol';

import type { TestChat } from '../../test-chat.fixture.ts';

let accounts = 0;

/** The parameters of `POST /users` for somebody new. */
export const account = () => ({
  email: `account${++accounts}@chat.test`,
  full_name: `Account ${accounts}`,
  password: 'a long password',
});

export interface NewAccount {
  readonly user_id: UserId;
  readonly client: Client;
}

/** A person whose creation the readers of events learn. */
export async function createdAccount({ url, people }: TestChat): Promise<NewAccount> {
  const { email, password, full_name } = account();
  const { user_id } = await people.desdemona.client.users.create({ email, password, full_name });
  const client = await logIn({ url }, { username: email, password });
  return { user_id, client };
}
