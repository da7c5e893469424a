import { newIdentity } from '@bellhop/device';

import type { PhoneEntry, PhoneStore } from './phone-store.ts';
import {
  endRegistration,
  hasApp,
  installApp,
  registerPhone,
  uninstallApp,
} from './simulated-phone.ts';

/** A phone that has no token and no keys yet. */
export type NewPhone = Omit<PhoneEntry, 'token' | 'app_id' | 'subscription' | 'identity'> & {
  /** The bundle ID or package name; the first app of the simulator by default. */
  readonly app?: string | undefined;
};

/** Adds, changes and removes the simulated phones of a store. */
export class Phones {
  readonly #store: PhoneStore;

  constructor(store: PhoneStore) {
    this.#store = store;
  }

  /** Installs the app, registers it and keeps the phone. Throws a UserError, and keeps nothing then. */
  async add({ app, ...phone }: NewPhone): Promise<PhoneEntry> {
    const { token, app_id, subscription } = await installApp(phone.simulator, phone.kind, app);
    const entry = { ...phone, token, app_id, subscription, identity: newIdentity() };
    let isKept = false;
    try {
      await this.#store.add(entry);
      isKept = true;
      await registerPhone(entry);
    } catch (error) {
      if (isKept) await this.#store.remove(entry.name);
      await uninstallApp(entry);
      throw error;
    }
    return entry;
  }

  /**
   * Gives the phone new keys and registers it again; with `newToken` it gets a new token too, and the old
   * one dies. An app that was removed is installed again. `use` gets the phone before the old token dies.
   * Throws a UserError, and changes nothing then.
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
    const entry = { ...old, token, subscription, identity: newIdentity() };
    try {
      await registerPhone(entry);
    } catch (error) {
      if (isNew) await uninstallApp(entry);
      throw error;
    }
    use?.(entry);
    await this.#store.replace(entry);
    if (isNew && hadApp) await uninstallApp(old);
    return entry;
  }

  /** Ends the registration, removes the app and forgets the phone. */
  async remove(entry: PhoneEntry): Promise<void> {
    await endRegistration(entry);
    if (await hasApp(entry)) await uninstallApp(entry);
    await this.#store.remove(entry.name);
  }
}
