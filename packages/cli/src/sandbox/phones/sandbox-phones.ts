import { UserError } from '@bellhop/bot-cli/command-line';
import { type DeviceIdentity, newIdentity } from '@bellhop/device';
import {
  ApiError,
  MAX_SANDBOX_PHONES,
  PhoneName,
  type PushGeneration,
  type TokenKind,
  type UserId,
} from '@bellhop/protocol';
import type { PushSimulator } from '@bellhop/push-simulator';

import { type PhoneEntry, PhoneStore } from '../../phones/phone-store.ts';
import { Phones } from '../../phones/phones.ts';
import {
  endRegistration,
  installApp,
  registerPhone,
  setOnline,
  uninstallApp,
} from '../../phones/simulated-phone.ts';
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

export interface SandboxPhonesOptions {
  readonly dataDir: string;
  readonly url: string;
  readonly people: readonly SandboxUser[];
  /** The owner of the phones of a new sandbox. */
  readonly owner: SandboxUser;
  readonly state: SandboxState;
  readonly save: () => Promise<void>;
  readonly simulator: PushSimulator;
}

interface Wanted {
  readonly token_kind: TokenKind;
  readonly name?: string | undefined;
  readonly app_id?: string | undefined;
  readonly generation: PushGeneration;
}
/** A phone of this or an earlier start. One that was never installed has no token. */
interface KnownPhone extends Pick<PhoneEntry, 'name' | 'kind' | 'android_app_id'> {
  readonly token?: string | undefined;
  readonly app_id?: string | undefined;
  readonly identity?: DeviceIdentity | undefined;
}

/** The phones of everybody in the sandbox, with what they receive while it runs. */
export class SandboxPhones {
  readonly changes = new Changes();
  readonly #options: SandboxPhonesOptions;
  readonly #store: PhoneStore;
  readonly #phones: Phones;
  readonly #shown = new Map<string, Phone>();

  constructor(options: SandboxPhonesOptions) {
    this.#options = options;
    this.#store = new PhoneStore(options.dataDir);
    this.#phones = new Phones(this.#store);
    options.simulator.journal.listen((event) => {
      if (event.type === 'device' && event.op !== 'add')
        this.all()
          .find(({ entry }) => entry.token === event.token)
          ?.noteAtProvider(event.op);
      this.changes.note();
    });
  }

  /**
   * Registers the phones of the last start, and those that every sandbox has. A person who was
   * deactivated loses their phones; those of every sandbox go to its owner.
   */
  async start(): Promise<void> {
    const { owner, state, save } = this.#options;
    const starts: (() => Promise<void>)[] = [];
    const names = new Set<string>();
    const startLater = (phone: KnownPhone, user: SandboxUser) => {
      names.add(phone.name);
      starts.push(() => this.#restore(phone, user));
    };
    for (const entry of await this.#store.list()) {
      const user = this.#ownerOf(entry);
      if (user) startLater(entry, user);
      else if (entry.user_id !== undefined) await this.#store.remove(entry.name);
      else names.add(entry.name);
    }
    for (const [name, { user_id, identity, ...known }] of Object.entries(state.phones ?? {})) {
      const user = user_id === undefined ? owner : this.#userOf(user_id);
      const kind = known.kind ?? models.find((model) => model.name === name)?.kind;
      const keys =
        identity === undefined ? {} : { identity: JSON.parse(identity) as DeviceIdentity };
      if (user && kind) startLater({ ...known, ...keys, kind, name: freeName(name, names) }, user);
    }
    for (const model of models) if (!names.has(model.name)) startLater(model, owner);
    await Promise.all(starts.map((start) => start()));
    if (state.phones === undefined) return;
    delete state.phones;
    await save();
  }

  /** The phones of a user; those that every sandbox has come first. */
  of(user: UserId): Phone[] {
    return this.all().filter(({ entry }) => entry.user_id === user);
  }

  all(): Phone[] {
    const place = ({ name }: Phone) => models.findIndex((model) => model.name === name) >>> 0;
    return [...this.#shown.values()].toSorted((a, b) => place(a) - place(b));
  }

  /** Throws NOT_FOUND for a phone that the user does not have. */
  require(user: UserId, name: string): Phone {
    const phone = this.#shown.get(name);
    if (phone?.entry.user_id === user) return phone;
    throw new ApiError('NOT_FOUND', { message: `You have no phone ${name}` });
  }

  async add(
    user_id: UserId,
    { token_kind: kind, name, app_id, generation }: Wanted,
  ): Promise<Phone> {
    const user = this.#userOf(user_id);
    if (!user) throw new ApiError('BAD_REQUEST', { message: 'Only seeded users can have phones' });
    if (this.of(user_id).length >= MAX_SANDBOX_PHONES)
      throw new ApiError('BAD_REQUEST', {
        message: `You have ${MAX_SANDBOX_PHONES} phones: remove one first`,
      });
    const taken = new Set((await this.#store.list()).map((entry) => entry.name));
    const model = models.find((one) => one.kind === kind)?.name ?? kind;
    const entry = await refusing(
      this.#phones.add({
        ...this.#login(user),
        name: name ?? freeName(model, taken),
        kind,
        generation,
        app: app_id,
        android_app_id: kind === 'fcm' ? app_id : undefined,
      }),
    );
    return this.#show(entry);
  }

  /** The history of the phone gets it from the provider. */
  setOnline = (phone: Phone, online: boolean): Promise<void> =>
    refusing(setOnline(phone.entry, online));

  uninstall = (phone: Phone): Promise<void> => refusing(uninstallApp(phone.entry));

  /** Gives the phone new keys. An app that was removed is installed again, with a new token. */
  async rotate(phone: Phone, newToken: boolean): Promise<void> {
    try {
      await refusing(this.#phones.rotate(phone.entry, newToken, (entry) => phone.rotateTo(entry)));
      phone.noteRegistered();
    } catch (error) {
      phone.note('refused', (error as Error).message);
      throw error;
    }
  }

  async remove(phone: Phone): Promise<void> {
    await refusing(this.#phones.remove(phone.entry));
    phone.stop();
    this.#shown.delete(phone.name);
    this.changes.note();
  }

  stop(): void {
    for (const phone of this.#shown.values()) phone.stop();
  }

  /**
   * Registers a phone again. One that the provider has forgotten is installed anew, and so is a browser whose
   * push service has moved to another port.
   */
  async #restore(phone: KnownPhone, user: SandboxUser): Promise<void> {
    const { simulator } = this.#options;
    const { kind } = phone;
    const login = this.#login(user);
    const known = phone.token === undefined ? undefined : simulator.devices.find(phone.token);
    const isReachable =
      known && (kind !== 'webpush' || known.token.startsWith(`${simulator.webpush_url}/`));
    const { token, app_id, subscription } = isReachable
      ? known
      : await installApp(login.simulator, kind, phone.android_app_id ?? phone.app_id);
    const identity = (known && phone.identity) ?? newIdentity();
    const entry = { ...phone, ...login, token, app_id, subscription, identity };
    // Else the registration of the old address would stay.
    if (known && !isReachable) await endRegistration(entry);
    const isKept = (await this.#store.find(entry.name)) !== undefined;
    await (isKept ? this.#store.replace(entry) : this.#store.add(entry));
    if (known?.uninstalled == null || !isReachable) await registerPhone(entry);
    this.#show(entry);
  }

  #show(entry: PhoneEntry): Phone {
    const { simulator } = this.#options;
    const phone = new Phone(entry, simulator.devices, () => this.changes.note());
    this.#shown.set(entry.name, phone);
    return phone;
  }

  /** The fields of a phone that are of its owner, and of this run of the sandbox. */
  #login({ user_id, email, api_key }: SandboxUser) {
    const { url: server_url, state, simulator } = this.#options;
    const { control_url, control_token } = simulator;
    const { bouncer_public_key } = state;
    const of = { server_url, email, api_key, bouncer_public_key };
    return { user_id, ...of, simulator: { control_url, control_token } };
  }

  #userOf = (id: number | undefined) => this.#options.people.find(({ user_id }) => user_id === id);

  /** Takes over phones of the sandbox's people that earlier versions kept apart. */
  #ownerOf(entry: PhoneEntry): SandboxUser | undefined {
    if (entry.user_id !== undefined) return this.#userOf(entry.user_id);
    const user = this.#options.people.find(({ api_key }) => api_key === entry.api_key);
    const { control_token } = this.#options.simulator;
    const isOurs =
      entry.simulator.control_token === control_token &&
      entry.bouncer_public_key === this.#options.state.bouncer_public_key;
    return isOurs && PhoneName.safeParse(entry.name).success ? user : undefined;
  }
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  let number = 1;
  const name = () => (number === 1 ? wanted : `${wanted} ${number}`);
  while (taken.has(name())) number++;
  return name();
}

/** Turns a UserError into the answer of a request. */
const refusing = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw error instanceof UserError
      ? new ApiError('BAD_REQUEST', { message: error.message })
      : error;
  });
