import { UserError } from '@bellhop/bot-cli/command-line';
import { PortTaken } from '@bellhop/http';

/** The ports of a sandbox, consecutive from the base port. All are 0 for any free ports. */
export interface Ports {
  readonly server: number;
  readonly bouncer: number;
  readonly bot: number;
  readonly fcm: number;
  readonly apns: number;
  readonly apns_sandbox: number;
  readonly control: number;
  readonly webpush: number;
}
const order = [
  'server',
  'bouncer',
  'bot',
  'fcm',
  'apns',
  'apns_sandbox',
  'control',
  'webpush',
] as const;
const DEFAULT_BASE = 4600;

/** Reads BELLHOP_PORT. Throws a UserError if the text is no port or the other ports do not fit. */
export function portsFrom(text: string | undefined): Ports {
  const base = text === undefined || text === '' ? DEFAULT_BASE : Number(text);
  if (!Number.isInteger(base) || base < 0 || base > 65_535 - order.length)
    throw new UserError(
      `BELLHOP_PORT must be a number from 0 (any free ports) to ${65_535 - order.length}.`,
    );
  return Object.fromEntries(
    order.map((name, at) => [name, base === 0 ? 0 : base + at]),
  ) as unknown as Ports;
}

/** Turns the error of a taken port into a UserError that suggests another; returns other errors as they are. */
export function portAdvice(error: unknown): unknown {
  const port = takenPort(error);
  if (port === undefined) return error;
  return new UserError(
    `Port ${port} is taken: stop the program that uses it, or choose other ports with BELLHOP_PORT=${suggestion(Number(port))} (0 = any free ones).`,
  );
}

/** The port in the error of a Node server or of `listen()`. */
function takenPort(error: unknown): string | undefined {
  if (error instanceof PortTaken) return /^Port (\d+)/.exec(error.message)?.[1];
  const { code, port } = error as { code?: unknown; port?: unknown };
  return code === 'EADDRINUSE' ? String(port) : undefined;
}

const suggestion = (taken: number) => (taken < 60_000 ? Math.ceil((taken + 1) / 100) * 100 : 4700);
