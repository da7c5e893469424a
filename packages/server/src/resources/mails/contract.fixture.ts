import { expect } from 'vitest';

import type { ContractFixture } from '../../contract.fixture.ts';
import type { TestChat } from '../../test-chat.fixture.ts';

let count = 0;

/** Invites somebody. Returns the ID of the mail. */
export async function invited({ people, mails }: TestChat): Promise<string> {
  const invitee_emails = `outbox${++count}@chat.test`;
  await people.desdemona.client.invites.send({ invitee_emails, stream_ids: [] });
  const own = () => mails.find(({ to }) => to === invitee_emails);
  await expect.poll(own).toBeDefined();
  return own()?.id ?? '';
}

export const fixture: ContractFixture = {
  samples: {
    'GET /mails/{mail_id}': async (chat) => ({ mail_id: await invited(chat) }),
  },
  declared: {
    'GET /mails/{mail_id} NOT_FOUND': ({ chat }) =>
      chat.people.desdemona.client.mails.get({ mail_id: 'none' }),
  },
};
