import { vi } from 'vitest';

import type { TestChat } from '../../test-chat.fixture.ts';

/** The key in the newest mail to an address that lets its reader choose a new password. */
export const resetKeyIn = ({ mails }: Pick<TestChat, 'mails'>, email: string): Promise<string> =>
  vi.waitFor(() => {
    const mail = mails.findLast(
      ({ to, text }) => to === email && text.includes('/reset_password/'),
    );
    const key = /\/reset_password\/(\w+)/.exec(mail?.text ?? '')?.[1];
    if (key === undefined) throw new Error(`No link for ${email}`);
    return key;
  }, 15_000);

/** Asks for a new password; returns the key in the mail. */
export async function newResetKey(chat: TestChat, email: string): Promise<string> {
  await chat.people.hamlet.client.passwordResets.request({ email });
  return resetKeyIn(chat, email);
}
