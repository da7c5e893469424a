export interface FailedConnection {
  readonly status?: number;
  readonly cause?: unknown;
  readonly passing?: boolean;
}

/** The server could not be reached, did not answer in time, or did not speak the protocol. */
export class ConnectionFailed extends Error {
  /** The HTTP status, if there was a response. */
  readonly status: number | undefined;
  /** Whether repeating the call may help: not if the response had an undocumented shape. */
  readonly passing: boolean;
  constructor(message: string, options: FailedConnection = {}) {
    super(message, { cause: options.cause });
    this.name = 'ConnectionFailed';
    this.status = options.status;
    this.passing = options.passing ?? true;
  }
}
