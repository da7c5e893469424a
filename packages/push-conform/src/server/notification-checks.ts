import { newAccountId } from '../boxes.ts';
import { type Check, type CheckGroup, Deviation } from '../check.ts';
import { requireError, requireSuccess } from '../send.ts';
import type { Notification, TokenKind } from '../simulator-control.ts';
import { fieldsOf, type ServerPhone, type ServerTarget } from './server-target.ts';

/** The limit of both providers. */
const MAX_BYTES = 4096;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Checks what the provider hands to the app, apart from what is encrypted. */
function checkEnvelope(phone: ServerPhone, notification: Notification, isQuiet: boolean): void {
  const fields = fieldsOf(notification);
  const { push_account_id: account, encrypted_data: data } = fields;
  if (notification.kind === 'fcm') checkFcm(notification, fields, isQuiet);
  else checkApns(notification, fields, isQuiet);
  const wanted = notification.kind === 'fcm' ? String(phone.accountId) : phone.accountId;
  if (account !== wanted)
    throw new Deviation(
      `push_account_id is ${typeof account} ${String(account)} instead of ${typeof wanted} ${phone.accountId}`,
    );
  if (typeof data !== 'string' || !BASE64.test(data))
    throw new Deviation('encrypted_data is not standard base64 with padding');
  const size = Buffer.byteLength(notification.body ?? JSON.stringify(notification.data));
  if (size > MAX_BYTES) throw new Deviation(`${size} bytes are more than ${MAX_BYTES}`);
}

function checkFcm(notification: Notification, fields: object, isQuiet: boolean): void {
  const unknown = Object.keys(fields).filter(
    (name) => name !== 'push_account_id' && name !== 'encrypted_data',
  );
  if (unknown.length > 0) throw new Deviation(`FCM data has ${unknown.join(', ')}`);
  const wanted = isQuiet ? 'normal' : 'high';
  if (notification.priority !== wanted)
    throw new Deviation(`FCM priority ${notification.priority} instead of ${wanted}`);
}

function checkApns(
  { priority, push_type }: Notification,
  fields: Readonly<Record<string, unknown>>,
  isQuiet: boolean,
): void {
  const wanted = isQuiet ? '5 background' : '10 alert';
  if (`${priority} ${push_type}` !== wanted)
    throw new Deviation(
      `APNs priority and push type ${priority} ${push_type} instead of ${wanted}`,
    );
  const aps = fields['aps'] as Record<string, unknown> | undefined;
  if (aps?.['mutable-content'] !== 1)
    throw new Deviation('aps has no "mutable-content": 1: the app cannot decrypt before it shows');
  const alert = aps['alert'] as Record<string, unknown> | undefined;
  if (typeof alert?.['title'] !== 'string' && typeof alert !== 'string')
    throw new Deviation('aps has no alert: without one iOS does not start the app');
}

type FieldType = 'int' | 'string' | 'url' | readonly string[];
const common = { realm_url: 'url', realm_name: 'string', user_id: 'int' } as const;

/** Throws `Deviation` unless all fields are there, of their types. */
function checkFields(
  payload: Readonly<Record<string, unknown>>,
  wanted: Readonly<Record<string, FieldType>>,
): void {
  const all: Readonly<Record<string, FieldType>> = { ...common, ...wanted };
  for (const [name, type] of Object.entries(all)) {
    const value = payload[name];
    if (isOfType(value, type)) continue;
    const what = typeof type === 'string' ? type : type.join(' or ');
    throw new Deviation(`${name} is ${JSON.stringify(value)} instead of ${what}`);
  }
}

function isOfType(value: unknown, type: FieldType): boolean {
  if (type === 'int') return Number.isSafeInteger(value);
  if (type === 'string') return typeof value === 'string';
  if (type === 'url') return typeof value === 'string' && /^https?:\/\//.test(value);
  return type.includes(String(value));
}

const test = (kind: TokenKind): Check<ServerTarget> => ({
  check: `a test notification on an ${kind} phone`,
  section: 'The notification',
  async run(target) {
    const phone = await target.activePhone(kind);
    requireSuccess(await phone.test());
    const notification = await phone.next();
    checkEnvelope(phone, notification, false);
    checkFields(phone.decrypt(notification), { type: ['test'], time: 'int' });
    return 'arrived, decrypted, complete';
  },
});

const testOfNobody: Check<ServerTarget> = {
  check: 'a test notification for an unknown account',
  section: 'Test notification',
  async run(target) {
    const path = '/mobile_push/e2ee/test_notification';
    const answer = await target.call('POST', path, { push_account_id: newAccountId() });
    return requireError(answer, 400, 'NO_ACTIVE_PUSH_DEVICE');
  },
};

const testOfAll: Check<ServerTarget> = {
  check: 'a test notification on all phones of a user, each with its own encryption',
  section: 'Test notification',
  async run(target) {
    const phones = [await target.activePhone('fcm'), await target.activePhone('apns')];
    requireSuccess(await target.call('POST', '/mobile_push/e2ee/test_notification'));
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

/** Sends the user a direct message; returns its ID. */
async function sendMessage(target: ServerTarget, content: string): Promise<number> {
  const to = [await target.userId()];
  const answer = await target.asSender('POST', '/messages', { type: 'direct', to, content });
  return Number(requireSuccess(answer).body['id']);
}

const message: Check<ServerTarget> = {
  check: 'a direct message',
  section: 'What is in encrypted_data',
  async run(target) {
    const phone = await target.activePhone('fcm');
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
    const phone = await target.activePhone('apns');
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
  async run(target) {
    const phones = [await target.activePhone('fcm'), await target.activePhone('apns')];
    const id = await sendMessage(target, 'read this');
    for (const phone of phones) await phone.next();
    const more = await phones[0]?.moreWithin(Math.min(500, target.timeoutMs));
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
  },
};

/** What arrives on a phone. */
export const notificationChecks: CheckGroup<ServerTarget> = {
  group: 'notifications',
  checks: [test('fcm'), test('apns'), testOfNobody, testOfAll, message, longMessage, removal],
};
