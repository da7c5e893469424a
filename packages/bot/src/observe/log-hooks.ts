import type { Hooks } from '../hooks.ts';

export type LogMethod = (fields: object, message: string) => void;

/** The methods of a logger that `logHooks` calls. A pino logger has them. */
export interface Logger {
  readonly error: LogMethod;
  readonly warn: LogMethod;
  readonly info: LogMethod;
  readonly debug: LogMethod;
}

export interface LogOptions {
  /** Texts to replace by `[redacted]` in errors and warnings, such as tokens and API keys. */
  readonly secrets?: readonly (string | undefined)[];
}

/**
 * Logs deliveries, failures and warnings: `logHooks(pino())`. Deliveries are logged by ID, never with
 * the content of messages. Error texts are logged with `secrets` redacted.
 */
export function logHooks(log: Logger, { secrets = [] }: LogOptions = {}): Hooks {
  const given = secrets.filter((secret): secret is string => Boolean(secret));
  const redact = (text: string) =>
    given.reduce((redacted, secret) => redacted.replaceAll(secret, '[redacted]'), text);
  const errorFields = (error: unknown, depth = 0): unknown => {
    if (!(error instanceof Error)) return redact(String(error));
    const { name, message, stack, cause } = error;
    const code = 'code' in error ? { code: redact(String(error.code)) } : {};
    const nested = cause === undefined || depth > 4 ? {} : { cause: errorFields(cause, depth + 1) };
    return { type: name, message: redact(message), stack: redact(stack ?? ''), ...code, ...nested };
  };
  return {
    onError: ({ error, ...fields }) =>
      log.error({ ...fields, err: errorFields(error) }, 'handler failed'),
    onWarning: ({ error, message, ...fields }) =>
      log.warn(
        error === undefined ? fields : { ...fields, err: errorFields(error) },
        redact(message),
      ),
    onDelivery: (report) => {
      if (report.outcome === 'refused') {
        const { status, reason } = report;
        log.warn({ status, ...(reason ? { reason } : {}) }, 'request refused');
      } else if (report.outcome === 'repeated') log.debug(report, 'delivery repeated');
      else log.info(report, `delivery ${report.outcome}`);
    },
  };
}
