import type { Hooks } from '../hooks.ts';

type Write = (about: object, message: string) => void;

/** As much of a logger as is used here; pino's is one. */
export interface Log {
  readonly error: Write;
  readonly warn: Write;
  readonly info: Write;
  readonly debug: Write;
}

export interface LogOptions {
  /** Texts that must not appear in the log, as tokens and API keys. */
  readonly secrets?: readonly (string | undefined)[];
}

/**
 * Writes what happens to a logger: `logHooks(pino())`. What people write is never logged, only ids;
 * secrets that got into an error's text are taken out.
 */
export function logHooks(log: Log, { secrets = [] }: LogOptions = {}): Hooks {
  const hidden = secrets.filter((secret): secret is string => Boolean(secret));
  const redact = (text: string) =>
    hidden.reduce((shown, secret) => shown.replaceAll(secret, '[redacted]'), text);
  const shown = (error: unknown, depth = 0): unknown => {
    if (!(error instanceof Error)) return redact(String(error));
    const { name, message, stack, cause } = error;
    const code = 'code' in error ? { code: redact(String(error.code)) } : {};
    const below = cause === undefined || depth > 4 ? {} : { cause: shown(cause, depth + 1) };
    return { type: name, message: redact(message), stack: redact(stack ?? ''), ...code, ...below };
  };
  return {
    onError: ({ error, ...about }) => log.error({ ...about, err: shown(error) }, 'handler failed'),
    onWarning: ({ error, message, ...about }) =>
      log.warn(error === undefined ? about : { ...about, err: shown(error) }, redact(message)),
    onDelivery: (report) => {
      if (report.outcome === 'refused') log.warn({ status: report.status }, 'request refused');
      else if (report.outcome === 'repeated') log.debug(report, 'delivery repeated');
      else log.info(report, `delivery ${report.outcome}`);
    },
  };
}
