import type { StartOptions } from './start.ts';

type Transport = NonNullable<StartOptions['transport']>;
type OptionsOf<T extends Transport> = Extract<StartOptions, { readonly transport?: T }>;

/** The options of each transport. The compiler names a missing one. */
const known: { readonly [T in Transport]: Readonly<Record<keyof OptionsOf<T>, true>> } = {
  webhook: {
    transport: true,
    hooks: true,
    signals: true,
    port: true,
    host: true,
    requestTimeoutMs: true,
    maxBodyBytes: true,
    deadlineMs: true,
    resolve: true,
  },
  queue: { transport: true, hooks: true, signals: true, onEachMessage: true, onRetry: true },
  none: { transport: true, hooks: true },
};

/** Throws a TypeError for an option that would have no effect: the compiler does not see all of them. */
export function checkStartOptions(options: StartOptions): void {
  const { transport = 'webhook' } = options;
  if (!Object.hasOwn(known, transport))
    throw new TypeError(
      `start: there is no transport '${String(transport)}', but ${Object.keys(known).join(', ')}.`,
    );
  for (const [name, value] of Object.entries(options))
    if (value !== undefined && !Object.hasOwn(known[transport], name))
      throw new TypeError(
        `start: \`${name}\` has no effect with the transport '${transport}'. Leave it out.`,
      );
}
