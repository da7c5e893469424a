import { Deviation } from '../check.ts';
import { requireSuccess } from '../send.ts';
import type { AppOnPhone } from './app-on-phone.ts';
import { checkEnvelope, checkFields } from './check-notification.ts';
import type { ServerTarget } from './server-target.ts';

/** Sends the user a direct message; returns its ID. */
export async function sendMessage(target: ServerTarget, content: string): Promise<number> {
  const to = [await target.userId()];
  const answer = await target.asSender('POST', '/messages', { type: 'direct', to, content });
  return Number(requireSuccess(answer).body['id']);
}

/** Sends a message to all of these phones, reads it, and checks that it is removed from each. */
export async function readAndRemove(
  target: ServerTarget,
  phones: readonly AppOnPhone[],
): Promise<string> {
  const id = await sendMessage(target, 'read this');
  for (const phone of phones) await phone.next();
  const more = await phones[0]?.moreWithin(500);
  if (more && more.length > 0) throw new Deviation('the message arrived twice');
  const flags = { messages: [id], op: 'add', flag: 'read' };
  requireSuccess(await target.call('POST', '/messages/flags', flags));
  for (const phone of phones) {
    const notification = await phone.next();
    checkEnvelope(phone, notification, true);
    const payload = phone.decrypt(notification);
    checkFields(payload, { type: ['remove'] });
    const ids = payload['message_ids'];
    if (!Array.isArray(ids) || !ids.every(Number.isSafeInteger) || !ids.includes(id))
      throw new Deviation(`message_ids is ${JSON.stringify(ids)} instead of [${id}]`);
    if (ids.length > 200) throw new Deviation(`${ids.length} message_ids are more than 200`);
  }
  return `remove ${id}`;
}
