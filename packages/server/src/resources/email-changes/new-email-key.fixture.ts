import { vi } from 'vitest';

import type { Person, TestChat } from '../../test-chat.fixture.ts';

/** Asks for a new address of a user; returns the key in the mail that confirms it. */
export async function newEmailKey(
  chat: TestChat,
  { client }: Pick<Person, 'client'>,
  email: string,
): Promise<string> {
  await client.settings.update({ email });
  return vi.waitFor(() => {
    const mail = chat.mails.findLast(({ to }) => to === email);
    const key = /\/confirm_email\/(\w+)/.exec(mail?.text ?? '')?.[1];
    if (key === undefined) throw new Error(`No link for ${email}`);
    return key;
  }, 15_000);
}
