import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { startTestChat, type TestChat } from '../../test-chat.fixture.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

const deactivate = (user_id: number, fields: Record<string, string>) =>
  chat.ask(chat.people.iago, `DELETE /users/${user_id}`, fields);
const mailTo = (email: string) =>
  vi.waitFor(() => {
    const mail = chat.mails.find(({ to }) => to === email);
    if (!mail) throw new Error(`No mail to ${email}`);
    return mail;
  }, 15_000);

describe('DELETE /users/{user_id} with deactivation_notification_comment', () => {
  test('sends the user a mail that quotes the comment', async () => {
    const { email, user } = await chat.addPerson('rosencrantz');
    const deactivation_notification_comment = 'Goodbye.\n<b>And thanks!</b>';
    await deactivate(user.id, { deactivation_notification_comment });
    const mail = await mailTo(email);
    expect(mail.subject).toBe('Your account at Test was deactivated');
    expect(mail.text).toContain('Iago has deactivated your account');
    expect(mail.text).toContain('> Goodbye.\n> <b>And thanks!</b>');
    expect(mail.html).toContain('&#60;b&#62;And thanks!');
  });

  test('empty sends a mail without a quote', async () => {
    const { email, user } = await chat.addPerson('guildenstern');
    await deactivate(user.id, { deactivation_notification_comment: '' });
    expect((await mailTo(email)).text).not.toContain('wrote');
  });

  test('missing, or for a deactivated user, sends no mail', async () => {
    const { email, user } = await chat.addPerson('osric');
    await deactivate(user.id, {});
    await deactivate(user.id, { deactivation_notification_comment: 'again' });
    const last = await chat.addPerson('francisco');
    await deactivate(last.user.id, { deactivation_notification_comment: '' });
    await mailTo(last.email);
    expect(chat.mails.filter(({ to }) => to === email)).toEqual([]);
  });
});

test('deactivating a user revokes their invitations, and administrators learn it', async () => {
  const { desdemona, iago } = chat.people;
  const { client, user } = await chat.addPerson('barnardo');
  await client.invites.send({ invitee_emails: 'marcellus@example.com', stream_ids: [] });
  const { queue_id, last_event_id } = await desdemona.client.queues.register({
    event_types: ['invites_changed'],
  });
  await deactivate(user.id, {});
  await iago.client.users.reactivate({ user_id: user.id });
  expect(await desdemona.client.invites.list({})).toMatchObject({ invites: [] });
  const { events } = await desdemona.client.queues.events({
    queue_id: queue_id ?? '',
    last_event_id,
    dont_block: true,
  });
  expect(events).toMatchObject([{ type: 'invites_changed' }]);
});
