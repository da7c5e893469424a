import type { Store } from '@bellhop/bot/stores';

import type { StoreCall, ToBot } from './dev-wire.ts';

type StoreMethod = Exclude<keyof Store, 'singleProcess'>;

/** A store in another process, so that sessions and dialogs survive a reload of the bot. */
export function remoteStore(ask: (number: number, call: StoreCall) => void) {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let last = 0;
  const call = (method: StoreCall['method'], ...args: readonly unknown[]): Promise<unknown> => {
    const number = ++last;
    const answered = Promise.withResolvers<unknown>();
    waiting.set(number, answered);
    ask(number, { method, args });
    return answered.promise;
  };
  // The other side is a Store, so the results have its types.
  const methods = {
    get: (key) => call('get', key),
    set: (key, value, options) => call('set', key, value, options),
    delete: (key) => call('delete', key),
    list: (prefix) => call('list', prefix),
    close: async () => {},
  } as { [K in StoreMethod]: (...args: Parameters<Store[K]>) => Promise<unknown> } as Pick<
    Store,
    StoreMethod
  >;
  // A new process of the bot starts when the one before has ended.
  const store: Store = { singleProcess: true, ...methods };
  return {
    store,
    settle: ({ number, value, error }: Extract<ToBot, { kind: 'stored' }>): void => {
      const answered = waiting.get(number);
      waiting.delete(number);
      if (error === undefined) answered?.resolve(value);
      else answered?.reject(new Error(error));
    },
  };
}

/** Runs a call on the store. */
export async function callStore(store: Store, { method, args }: StoreCall): Promise<unknown> {
  const run = store[method] as (...args: readonly unknown[]) => Promise<unknown>;
  return run(...args);
}
