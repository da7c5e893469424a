import type { payloadOf } from './payload-of.ts';

export type Payload = ReturnType<typeof payloadOf>;

/** Messages from `bellhop bot dev` to the process of the bot. */
export type ToBot =
  | {
      readonly kind: 'deliver';
      readonly number: number;
      readonly payload: Payload;
      readonly again: boolean;
    }
  | {
      readonly kind: 'stored';
      readonly number: number;
      readonly value?: unknown;
      readonly error?: string;
    }
  | { readonly kind: 'stop' };

/** Messages from the process of the bot. */
export type FromBot =
  | { readonly kind: 'ready'; readonly files: readonly string[] }
  | { readonly kind: 'broken'; readonly message: string; readonly files: readonly string[] }
  | { readonly kind: 'handled'; readonly number: number }
  | { readonly kind: 'store'; readonly number: number; readonly call: StoreCall };

/** A call of the store. The store outlives the process of the bot. */
export type StoreCall = {
  readonly method: 'get' | 'set' | 'delete' | 'list';
  readonly args: readonly unknown[];
};
