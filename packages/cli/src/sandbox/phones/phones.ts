import { type Client, createClient } from '@bellhop/client';
import type { DeviceIdentity } from '@bellhop/device';
import { ApiError, MAX_SANDBOX_PHONES, type TokenKind, type UserId } from '@bellhop/protocol';
import type { Device, PushSimulator } from '@bellhop/push-simulator';

import { newDevice } from '../device-token.ts';
import type { SandboxState } from '../sandbox-state.ts';
import type { SandboxUser } from '../seed-people.ts';
import { Changes } from './changes.ts';
import { Phone } from './phone.ts';

/** The phones of a new sandbox. */
const models = [
  { name: 'Android phone', kind: 'fcm' },
  { name: 'iPhone', kind: 'apns' },
  { name: 'Browser', kind: 'webpush' },
] as const;

export interface PhonesOptions {
  readonly url: string;
  readonly people: readonly SandboxUser[];
  /** The owner of the phones of a new sandbox. */
  readonly owner: SandboxUser;
  readonly state: SandboxState;
  /** Saves the state, which has the tokens and the identities of the phones. */
  readonly save: () => Promise<void>;
  readonly simulator: PushSimulator;
}

/** The simulated phones of everybody in the sandbox. */
export class Phones {
  readonly changes = new Changes();
  readonly #options: PhonesOptions;
  readonly #phones = new Map<string, Phone>();

  constructor(options: PhonesOptions) {
    this.#options = options;
    options.simulator.journal.listen(() => this.changes.note());
  }

  /**
   * Registers the phones of the last start, and those that every sandbox has. A person who was
   * deactivated loses their phones; those of every sandbox go to its owner.
   */
  async start(): Promise<void> {
    const { state, owner, people } = this.#options;
    const owners = new Set(people.map(({ user_id }) => String(user_id)));
    const kept = Object.entries(state.phones).filter(([, entry]) =>
      owners.has(entry['user_id'] ?? ''),
    );
    state.phones = Object.fromEntries(kept);
    for (const { name, kind } of models)
      state.phones[name] = { kind, user_id: String(owner.user_id), ...state.phones[name] };
    const known = Object.entries(state.phones).map(([name, entry]) => this.#restore(name, entry));
    await Promise.all(known);
    await this.#save();
  }

  of(user: UserId): Phone[] {
    return this.all().filter(({ parts }) => parts.user_id === user);
  }

  all(): Phone[] {
    return [...this.#phones.values()];
  }

  /** Throws NOT_FOUND for a phone that the user does not have. */
  require(user: UserId, name: string): Phone {
    const phone = this.#phones.get(name);
    if (phone?.parts.user_id === user) return phone;
    throw new ApiError('NOT_FOUND', { message: `You have no phone ${name}` });
  }

  async add(user: UserId, kind: TokenKind, wanted?: string): Promise<Phone> {
    if (this.of(user).length >= MAX_SANDBOX_PHONES)
      throw new ApiError('BAD_REQUEST', {
        message: `You have ${MAX_SANDBOX_PHONES} phones: remove one first`,
      });
    const name = wanted ?? this.#freeName(kind);
    if (this.#phones.has(name))
      throw new ApiError('BAD_REQUEST', {
        message: `There is a phone ${name}: choose another name`,
      });
    const phone = new Phone(this.#parts(name, kind, user), this.#install(kind));
    this.#phones.set(name, phone);
    await phone.register().catch((error: unknown) => {
      this.#forget(phone);
      throw error;
    });
    await this.#save();
    return phone;
  }

  setOnline(phone: Phone, online: boolean): void {
    if (!phone.isInstalled)
      throw new ApiError('BAD_REQUEST', {
        message: 'The app is not on the phone: install it again',
      });
    phone.note(online ? 'online' : 'offline');
    this.#options.simulator.devices.setOnline(phone.token, online);
  }

  /** Gives the phone new keys. An app that was removed is installed again, with a new token. */
  async rotate(phone: Phone, newToken: boolean): Promise<void> {
    const { token: old } = phone;
    const isNew = newToken || !phone.isInstalled;
    await phone.rotate(...(isNew ? [this.#install(phone.parts.kind)] : []));
    if (isNew) this.#options.simulator.uninstall(old);
    await this.#save();
  }

  uninstall(phone: Phone): void {
    if (!phone.isInstalled)
      throw new ApiError('BAD_REQUEST', { message: 'The app is removed already' });
    this.#options.simulator.uninstall(phone.token);
    phone.note('uninstalled', 'the server learns of it by the next push');
  }

  async remove(phone: Phone): Promise<void> {
    await endRegistration(phone.parts.client, phone.identity);
    this.#forget(phone);
    await this.#save();
  }

  stop(): void {
    for (const phone of this.#phones.values()) phone.stop();
  }

  async #restore(name: string, entry: Readonly<Record<string, string>>): Promise<void> {
    const { simulator } = this.#options;
    const kind = entry['kind'] as TokenKind;
    const parts = this.#parts(name, kind, Number(entry['user_id']) as UserId);
    const identity = entry['identity'] === undefined ? undefined : parseIdentity(entry['identity']);
    const known = entry['token'] === undefined ? undefined : simulator.devices.find(entry['token']);
    const isReachable =
      known && (kind !== 'webpush' || known.token.startsWith(`${simulator.webpush_url}/`));
    // A push service that has moved to another port: the browser subscribes anew, with its old account.
    if (known && identity && !isReachable) await endRegistration(parts.client, identity);
    const token = isReachable ? known : this.#install(kind);
    const phone = new Phone(parts, token, known ? identity : undefined);
    this.#phones.set(name, phone);
    if (phone.isInstalled) await phone.register();
  }

  #parts(name: string, kind: TokenKind, user_id: UserId): Phone['parts'] {
    const { url, people, state, simulator } = this.#options;
    const user = people.find((one) => one.user_id === user_id);
    if (!user) throw new ApiError('BAD_REQUEST', { message: 'Only seeded users can have phones' });
    return {
      name,
      kind,
      user_id,
      client: createClient({
        url,
        email: user.email,
        apiKey: user.api_key,
        userAgent: 'BellhopPhone/0.1',
      }),
      bouncerPublicKey: state.bouncer_public_key,
      atProvider: (token) => simulator.devices.find(token),
      listen: (token, onNotification) => simulator.devices.listen(token, onNotification),
      onChange: () => this.changes.note(),
    };
  }

  #install(kind: TokenKind): Device {
    return this.#options.simulator.addDevice(newDevice(kind));
  }

  #forget(phone: Phone): void {
    phone.stop();
    this.#options.simulator.uninstall(phone.token);
    this.#phones.delete(phone.name);
    this.changes.note();
  }

  #freeName(kind: TokenKind): string {
    const model = models.find((one) => one.kind === kind)?.name ?? kind;
    let number = 1;
    while (this.#phones.has(number === 1 ? model : `${model} ${number}`)) number++;
    return number === 1 ? model : `${model} ${number}`;
  }

  async #save(): Promise<void> {
    const { state, save } = this.#options;
    state.phones = Object.fromEntries(
      this.all().map(({ name, token, identity, parts }) => [
        name,
        {
          kind: parts.kind,
          user_id: String(parts.user_id),
          token,
          identity: JSON.stringify(identity),
        },
      ]),
    );
    await save();
  }
}

const parseIdentity = (text: string) => JSON.parse(text) as DeviceIdentity;

async function endRegistration(client: Client, { push_account_id }: DeviceIdentity): Promise<void> {
  await client.devices
    .unregisterPush({ push_account_id: BigInt(push_account_id) })
    .catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'NO_ACTIVE_PUSH_DEVICE') throw error;
    });
}
