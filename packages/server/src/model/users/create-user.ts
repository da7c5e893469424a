import {
  badRequest,
  type BotType,
  characterCount,
  type Role,
  type UserId,
} from '@bellhop/protocol';

import type { Tx } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { newSecret, type Secrets } from '../../engine/secrets.ts';
import { mailAddress } from '../../mail/mail-address.ts';
import { hashPassword } from './passwords.ts';
import * as queries from './queries.ts';

const FORBIDDEN = /[*`\\>"@]/;

/** A name, trimmed. Throws BAD_REQUEST for a length or characters that a mention cannot have. */
export function checkFullName(name: string): string {
  const trimmed = name.trim();
  if (trimmed.length === 0) throw badRequest('Name too short!');
  if (characterCount(trimmed) > 100) throw badRequest('Name too long!');
  if (FORBIDDEN.test(trimmed) || /\p{C}/u.test(trimmed))
    throw badRequest('Invalid characters in name!');
  if (/\|\d+$/.test(trimmed)) throw badRequest('Invalid format!');
  return trimmed;
}

export interface NewUser {
  readonly email: string;
  readonly full_name: string;
  readonly role?: Role;
  readonly password?: string;
  /** Instead of a password: its hash. */
  readonly password_hash?: string;
  /** Whether the user may create users and change addresses. Default: false. */
  readonly manages_accounts?: boolean;
  readonly bot?: {
    readonly type: BotType;
    readonly owner_id: UserId | null;
    readonly system?: boolean;
  };
}

/**
 * Creates a user with a new API key and returns both. Emits no event: see `announceUser`.
 * Throws BAD_REQUEST for a bad name, or an address that is malformed or in use.
 */
export async function createUser(
  tx: Tx,
  { realm, secrets }: { realm: Pick<Realm, 'id'>; secrets: Secrets },
  user: NewUser,
): Promise<{ user: User; api_key: string }> {
  const full_name = checkFullName(user.full_name);
  // A bot gets no mail, and a system bot has the external host, which may be an address in brackets.
  if (!user.bot) mailAddress(user.email);
  const [taken] = await queries.byEmails(tx, realm.id, [user.email]);
  if (taken) throw badRequest(`Email '${user.email}' already in use`);
  const api_key = newSecret();
  const row = await queries.insert(tx, {
    realm_id: realm.id,
    delivery_email: user.email,
    full_name,
    role: user.role ?? 400,
    is_bot: user.bot !== undefined,
    bot_type: user.bot?.type ?? null,
    bot_owner_id: user.bot?.owner_id ?? null,
    is_system_bot: user.bot?.system ?? false,
    can_create_users: user.manages_accounts ?? false,
    can_change_user_emails: user.manages_accounts ?? false,
    password_hash:
      user.password_hash ??
      (user.password === undefined ? null : await hashPassword(user.password, user.email)),
    api_key_mac: secrets.mac(api_key),
    api_key_sealed: secrets.seal(api_key),
    ...(user.bot ? {} : { settings: await queries.defaultSettings(tx, realm.id) }),
  });
  return { user: row, api_key };
}
