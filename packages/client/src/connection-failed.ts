interface FailedConnection {
  readonly status?: number;
  readonly cause?: unknown;
  readonly passing?: boolean;
}

/** The server could not be reached, did not answer in time, or did not speak the protocol. */
export class ConnectionFailed extends Error {
  /** The HTTP status, where something answered. */
  readonly status: number | undefined;
  /** Whether asking again later may help: not where the answer was of an undocumented shape. */
  readonly passing: boolean;
  constructor(message: string, options: FailedConnection = {}) {
    super(message, { cause: options.cause });
    this.name = 'ConnectionFailed';
    this.status = options.status;
    this.passing = options.passing ?? true;
  }
}
