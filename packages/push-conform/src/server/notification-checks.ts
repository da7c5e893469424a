import { type Check, type CheckGroup, Deviation } from '../check.ts';
import { requireSuccess } from '../send.ts';
import type { TokenKind } from '../simulator-control.ts';
import { activePhone } from './active-phone.ts';
import { fieldsOf, TEST_PATH } from './app-on-phone.ts';
import { checkEnvelope, checkFields } from './check-notification.ts';
import { readAndRemove, sendMessage } from './read-and-remove.ts';
import type { ServerTarget } from './server-target.ts';

const test = (kind: TokenKind): Check<ServerTarget> => ({
  check: `a test notification on an ${kind} phone`,
  section: 'The notification',
  async run(target) {
    const phone = await activePhone(target, kind);
    requireSuccess(await phone.test());
    const notification = await phone.next();
    checkEnvelope(phone, notification, false);
    checkFields(phone.decrypt(notification), { type: ['test'], time: 'int' });
    return 'arrived, decrypted, complete';
  },
});

const testOfAll: Check<ServerTarget> = {
  check: 'a test notification on all phones of a user, each with its own encryption',
  section: 'Test notification',
  async run(target) {
    const phones = [await activePhone(target, 'fcm'), await activePhone(target, 'apns')];
    requireSuccess(await target.call('POST', TEST_PATH));
    const data = new Set<unknown>();
    for (const phone of phones) {
      const notification = await phone.next();
      phone.decrypt(notification);
      data.add(fieldsOf(notification)['encrypted_data']);
    }
    if (data.size < phones.length) throw new Deviation('two phones got the same ciphertext');
    return 'arrived on both';
  },
};

const message: Check<ServerTarget> = {
  check: 'a direct message',
  section: 'What is in encrypted_data',
  async run(target) {
    const phone = await activePhone(target, 'fcm');
    const id = await sendMessage(target, 'Glück & "quotes"');
    const notification = await phone.next();
    checkEnvelope(phone, notification, false);
    const payload = phone.decrypt(notification);
    checkFields(payload, {
      type: ['message'],
      recipient_type: ['direct'],
      message_id: [String(id)],
      sender_id: 'int',
      sender_full_name: 'string',
      sender_avatar_url: 'url',
      time: 'int',
      content: ['Glück & "quotes"'],
    });
    return `message ${id}, complete`;
  },
};

const longMessage: Check<ServerTarget> = {
  check: 'a long message is cut between characters and stays within the limits',
  section: 'Sizes',
  async run(target) {
    const phone = await activePhone(target, 'apns');
    await sendMessage(target, '👩‍👩‍👧‍👦'.repeat(300));
    const notification = await phone.next();
    checkEnvelope(phone, notification, false);
    const content = String(phone.decrypt(notification)['content']);
    if (content.includes('\uFFFD') || !content.isWellFormed())
      throw new Deviation('the content has half a character');
    return `${Buffer.byteLength(notification.body ?? '')} bytes`;
  },
};

const removal: Check<ServerTarget> = {
  check: 'a message that was read elsewhere is removed from the phones',
  section: 'What is in encrypted_data',
  run: async (target) =>
    readAndRemove(target, [await activePhone(target, 'fcm'), await activePhone(target, 'apns')]),
};

/** Checks of the notifications that arrive on a phone. */
export const notificationChecks: CheckGroup<ServerTarget> = {
  group: 'notifications',
  checks: [test('fcm'), test('apns'), testOfAll, message, longMessage, removal],
};
