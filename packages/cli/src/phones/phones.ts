import { withNewKey } from '@bellhop/device';
import type { PushGeneration } from '@bellhop/protocol';

import { MAX_EARLIER, type PhoneEntry, type PhoneStore } from './phone-store.ts';
import {
  createIdentity,
  endRegistration,
  hasApp,
  installApp,
  registerPhone,
  uninstallApp,
} from './simulated-phone.ts';

/** A phone that has no token and no keys yet. */
export type NewPhone = Omit<
  PhoneEntry,
  'token' | 'app_id' | 'subscription' | 'identity' | 'earlier'
> & {
  /** The bundle ID or package name; the first app of the simulator by default. */
  readonly app?: string | undefined;
  /** `account` by default. */
  readonly generation?: PushGeneration | undefined;
};

/** Adds, changes and removes the simulated phones of a store. */
export class Phones {
  readonly #store: PhoneStore;

  constructor(store: PhoneStore) {
    this.#store = store;
  }

  /** Installs the app, registers it and keeps the phone. Throws a UserError, and keeps nothing then. */
  async add({ app, generation = 'account', ...phone }: NewPhone): Promise<PhoneEntry> {
    const { token, app_id, subscription } = await installApp(phone.simulator, phone.kind, app);
    const undo: (() => Promise<void>)[] = [() => uninstallApp({ ...phone, token })];
    try {
      const identity = await createIdentity(phone, generation);
      const entry = { ...phone, token, app_id, subscription, identity };
      // The server keeps a device from now on, an account once it is registered.
      if ('device_id' in identity) undo.unshift(() => endRegistration(entry));
      await this.#store.add(entry);
      undo.unshift(() => this.#store.remove(entry.name));
      await registerPhone(entry);
      return entry;
    } catch (error) {
      // The first error is the one to tell.
      for (const step of undo) await step().catch(() => undefined);
      throw error;
    }
  }

  /**
   * Gives the phone a new key and registers it again; with `newToken` it gets a new token too, and the old
   * one dies. An app that was removed is installed again. `use` gets the phone before the old token dies.
   * Throws a UserError: an account is then as it was; a device has the new key and token, as a real phone
   * would, and registers them with the next rotation.
   */
  async rotate(
    old: PhoneEntry,
    newToken: boolean,
    use?: (entry: PhoneEntry) => void,
  ): Promise<PhoneEntry> {
    const hadApp = await hasApp(old);
    const app = old.android_app_id ?? old.app_id;
    const isNew = newToken || !hadApp;
    const { token, subscription } = isNew ? await installApp(old.simulator, old.kind, app) : old;
    const before = { token: old.token, subscription: old.subscription, identity: old.identity };
    const earlier = [before, ...(old.earlier ?? [])].slice(0, MAX_EARLIER);
    const identity = withNewKey(old.identity);
    const entry = { ...old, token, subscription, identity, earlier };
    const keep = async () => {
      use?.(entry);
      await this.#store.replace(entry);
      if (isNew && hadApp) await uninstallApp(old);
    };
    if ('device_id' in entry.identity) {
      // The server uses a key as soon as it has it, whatever becomes of the token.
      await keep();
      await registerPhone(entry);
      return entry;
    }
    try {
      await registerPhone(entry);
    } catch (error) {
      if (isNew) await uninstallApp(entry);
      throw error;
    }
    await keep();
    return entry;
  }

  /** Ends the registration, removes the app and forgets the phone. */
  async remove(entry: PhoneEntry): Promise<void> {
    await endRegistration(entry);
    if (await hasApp(entry)) await uninstallApp(entry);
    await this.#store.remove(entry.name);
  }
}
