/** The codes of BotError. They are stable. */
export type BotErrorCode =
  | 'config_invalid'
  | 'handler_failed'
  | 'handler_timeout'
  | 'reply_invalid'
  | 'session_conflict'
  | 'store_failed'
  | 'api_missing'
  | 'api_rejected'
  | 'api_unreachable'
  | 'not_started'
  | 'shutting_down';

/** An error with a stable code, whose message says what to do about it. */
export class BotError extends Error {
  readonly code: BotErrorCode;

  constructor(code: BotErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.name = 'BotError';
    this.code = code;
  }
}

/** The error of an option or a declaration that is wrong. */
export const misconfigured = (message: string, options?: { readonly cause?: unknown }): BotError =>
  new BotError('config_invalid', message, options);

/** The error of a handler that has reached its time limit. */
export const notEnded = (timeoutMs: number): BotError =>
  new BotError(
    'handler_timeout',
    `The handler had not ended after ${Math.round(timeoutMs / 60_000)} min. Let it end when ` +
      'ctx.signal is aborted, or give createBot a longer `handlerTimeoutMs`.',
  );
