import { Deviation } from '../check.ts';
import type { Notification, TokenKind } from '../simulator-control.ts';
import { type AppOnPhone, fieldsOf } from './app-on-phone.ts';

/** The limit of all providers. */
const MAX_BYTES = 4096;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Checks the fields that the provider delivers to the app, except the encrypted ones. */
export function checkEnvelope(
  phone: AppOnPhone,
  notification: Notification,
  isQuiet: boolean,
): void {
  const fields = fieldsOf(notification);
  const [name, number] = phone.keyName;
  const { [name]: given, encrypted_data: data } = fields;
  checks[notification.kind](notification, fields, { name, isQuiet });
  const wanted = notification.kind === 'fcm' ? String(number) : number;
  if (given !== wanted)
    throw new Deviation(
      `${name} is ${typeof given} ${String(given)} instead of ${typeof wanted} ${number}`,
    );
  if (typeof data !== 'string' || !BASE64.test(data))
    throw new Deviation('encrypted_data is not standard base64 with padding');
  const size = Buffer.byteLength(notification.body ?? JSON.stringify(notification.data));
  if (size > MAX_BYTES) throw new Deviation(`${size} bytes are more than ${MAX_BYTES}`);
}

type Fields = Readonly<Record<string, unknown>>;
interface Expected {
  /** The field that names the key. */
  readonly name: string;
  readonly isQuiet: boolean;
}
type CheckProvider = (notification: Notification, fields: Fields, expected: Expected) => void;
const checks: Readonly<Record<TokenKind, CheckProvider>> = {
  fcm: checkFcm,
  apns: checkApns,
  webpush({ urgency }, fields, { name, isQuiet }) {
    refuseOthers('the push event', fields, name);
    const wanted = isQuiet ? ['very-low', 'low', 'normal'] : ['high'];
    if (!wanted.includes(String(urgency)))
      throw new Deviation(`urgency ${urgency} instead of ${wanted.join(' or ')}`);
  },
};

/** Only `encrypted_data` may contain anything of the message. */
function refuseOthers(what: string, fields: Fields, keyName: string): void {
  const others = Object.keys(fields).filter(
    (name) => name !== keyName && name !== 'encrypted_data',
  );
  if (others.length > 0) throw new Deviation(`${what} has ${others.join(', ')}`);
}

function checkFcm(notification: Notification, fields: Fields, { name, isQuiet }: Expected): void {
  refuseOthers('FCM data', fields, name);
  const wanted = isQuiet ? 'normal' : 'high';
  if (notification.priority !== wanted)
    throw new Deviation(`FCM priority ${notification.priority} instead of ${wanted}`);
}

function checkApns(
  { priority, push_type }: Notification,
  fields: Fields,
  { name, isQuiet }: Expected,
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
  if (isQuiet && name === 'push_key_id') {
    if (alert === undefined) return;
    throw new Deviation('aps of a removal has an alert, which iOS would show');
  }
  if (typeof alert?.['title'] !== 'string' && typeof alert !== 'string')
    throw new Deviation('aps has no alert: without one iOS does not start the app');
}

type FieldType = 'int' | 'string' | 'url' | readonly string[];
const common = { realm_url: 'url', realm_name: 'string', user_id: 'int' } as const;

/** Throws `Deviation` unless all fields are present with their types. */
export function checkFields(payload: Fields, wanted: Readonly<Record<string, FieldType>>): void {
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
