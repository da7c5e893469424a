import type { ServeOptions } from './adapters/serve.ts';
import { misconfigured } from './bot-error.ts';
import type { Hooks } from './hooks.ts';
import type { ConnectOptions } from './queue/connect.ts';

/** Listens for outgoing webhooks on an address of its own. */
export interface WebhookTransport extends ServeOptions, SignalOptions {
  readonly transport?: 'webhook';
}

/** Receives messages through the server's event queue: the bot needs `api`, and no address. */
export interface QueueTransport extends ConnectOptions, SignalOptions {
  readonly transport: 'queue';
}

/** Only runs schedules and tasks: an application of yours receives the webhooks. */
export interface NoTransport {
  readonly transport: 'none';
  readonly hooks?: Hooks;
}

export interface SignalOptions {
  /** Whether SIGTERM and SIGINT stop the bot, and then the process; default: true. */
  readonly signals?: boolean;
}

export type StartOptions = WebhookTransport | QueueTransport | NoTransport;

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

/** Throws BotError `config_invalid` for an option that would have no effect: the compiler does not see all of them. */
export function checkStartOptions(options: StartOptions): void {
  const { transport = 'webhook' } = options;
  if (!Object.hasOwn(known, transport))
    throw misconfigured(
      `start: there is no transport '${String(transport)}', but ${Object.keys(known).join(', ')}.`,
    );
  if ('port' in options && options.port !== undefined && !isPort(options.port))
    throw misconfigured(
      `start: \`port\` is ${String(options.port)}, not a whole number from 0 to 65535.`,
    );
  for (const [name, value] of Object.entries(options))
    if (value !== undefined && !Object.hasOwn(known[transport], name))
      throw misconfigured(
        `start: \`${name}\` has no effect with the transport '${transport}'. Leave it out.`,
      );
}

/** The number of PORT. Throws BotError `config_invalid` for a text that is no port. */
export function portFrom(text: string): number {
  const port = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (isPort(port)) return port;
  throw misconfigured(
    `PORT: ${text} is no port. Write a whole number from 0 to 65535, or remove it.`,
  );
}

/** Whether a program can listen on it: Node takes a text for a UNIX socket. */
export const isPort = (port: unknown): boolean =>
  typeof port === 'number' && Number.isInteger(port) && port >= 0 && port <= 65_535;
