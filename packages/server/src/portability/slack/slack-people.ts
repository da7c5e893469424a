import { isMailAddress } from '../../mail/mail-address.ts';
import type { FormRecord } from '../form.ts';

/** A person or bot of the converted export. */
export interface ConvertedPerson {
  readonly id: number;
  readonly name: string;
  readonly record: FormRecord;
}

const object = (value: unknown): FormRecord =>
  typeof value === 'object' && value !== null ? (value as FormRecord) : {};
export const textIn = (record: FormRecord, name: string): string => {
  const value = record[name];
  return typeof value === 'string' ? value : '';
};

/**
 * The people and bots of a workspace. Those that only messages name, such as guests of other workspaces and
 * integrations, are added when they are met.
 */
export class SlackPeople {
  readonly #byId = new Map<string, ConvertedPerson>();
  readonly #byEmail = new Map<string, ConvertedPerson>();
  readonly all: ConvertedPerson[] = [];
  /** People whose address the export does not have. */
  withoutAddress = 0;
  /** Accounts with the address of another, which are one person here. */
  merged = 0;

  /** Adds a record of users.json. */
  add(user: FormRecord): void {
    const id = textIn(user, 'id');
    const profile = object(user['profile']);
    const isBot = user['is_bot'] === true || id === 'USLACKBOT';
    const email = textIn(profile, 'email').trim().toLowerCase();
    const known = this.#byEmail.get(email);
    if (known && !isBot) {
      this.merged += 1;
      this.#byId.set(id, known);
      return;
    }
    const hasAddress = !isBot && isMailAddress(email);
    if (!isBot && !hasAddress && user['deleted'] !== true) this.withoutAddress += 1;
    const name =
      textIn(profile, 'real_name') || textIn(user, 'real_name') || textIn(user, 'name') || id;
    const added = this.#push({
      name,
      email: hasAddress ? email : `${id.toLowerCase()}@slack.invalid`,
      is_bot: isBot,
      is_active: user['deleted'] !== true,
      role: roleOf(user),
      timezone: textIn(user, 'tz'),
    });
    this.#byId.set(id, added);
    if (hasAddress) this.#byEmail.set(email, added);
    const bot = textIn(profile, 'bot_id');
    if (bot !== '') this.#byId.set(bot, added);
  }

  byId(id: string): ConvertedPerson | undefined {
    return this.#byId.get(id);
  }

  /** Who wrote a message; undefined for a message of nobody. */
  senderOf(message: FormRecord): ConvertedPerson | undefined {
    const user = textIn(message, 'user') || textIn(object(message['comment']), 'user');
    const bot = textIn(message, 'bot_id');
    const id = user || bot;
    if (id === '' || id === 'U00') return undefined;
    const known = this.#byId.get(id) ?? this.#byId.get(bot);
    if (known) return known;
    const profile = object(message[user === '' ? 'bot_profile' : 'user_profile']);
    const name =
      textIn(profile, 'real_name') || textIn(profile, 'name') || textIn(message, 'username') || id;
    const added = this.#push({
      name,
      email: `${id.toLowerCase()}@slack.invalid`,
      is_bot: user === '',
      is_active: false,
      role: 400,
      timezone: '',
    });
    this.#byId.set(id, added);
    return added;
  }

  #push(person: {
    name: string;
    email: string;
    is_bot: boolean;
    is_active: boolean;
    role: number;
    timezone: string;
  }): ConvertedPerson {
    const { name: given, email, is_bot, ...more } = person;
    const id = this.all.length + 1;
    // What a mention cannot have; the import would do the same, and the mention would not have its name.
    const name =
      Array.from(given.replace(/[*`\\>"@]|\p{C}/gu, ' ').trim())
        .slice(0, 100)
        .join('')
        .trim() || `Slack ${id}`;
    const record = {
      id,
      full_name: name.replace(/\|\d+$/, '').trim(),
      delivery_email: email,
      email,
      is_bot,
      bot_type: is_bot ? 1 : null,
      date_joined: 0,
      ...more,
    };
    const added = { id, name: record.full_name, record };
    this.all.push(added);
    return added;
  }
}

function roleOf(user: FormRecord): number {
  if (user['is_primary_owner'] === true || user['is_owner'] === true) return 100;
  if (user['is_admin'] === true) return 200;
  return user['is_restricted'] === true || user['is_ultra_restricted'] === true ? 600 : 400;
}
