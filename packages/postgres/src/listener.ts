import { Client, type ClientConfig } from 'pg';

type OnPayload = (payload: string) => void;

const retryMs = 500;

/** One connection for LISTEN, opened for the first channel and reopened if it is lost. */
export class Listener {
  readonly #config: ClientConfig;
  readonly #onError: (error: unknown) => void;
  readonly #ownProcesses: ReadonlySet<number>;
  readonly #channels = new Map<string, Set<OnPayload>>();
  #client: Promise<Client> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** Ignores notifications from `ownProcesses`: `tell` has delivered them already. */
  constructor(
    config: ClientConfig,
    ownProcesses: ReadonlySet<number>,
    onError: (error: unknown) => void,
  ) {
    this.#config = config;
    this.#ownProcesses = ownProcesses;
    this.#onError = onError;
  }

  async listen(channel: string, onPayload: OnPayload): Promise<() => void> {
    const listeners = this.#channels.get(channel) ?? new Set();
    this.#channels.set(channel, listeners.add(onPayload));
    const client = await (this.#client ??= this.#connect());
    await client.query(`listen ${client.escapeIdentifier(channel)}`);
    return () => listeners.delete(onPayload);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    const client = await this.#client?.catch(() => undefined);
    await client?.end();
  }

  async #connect(): Promise<Client> {
    const client = new Client(this.#config);
    client.on('notification', ({ channel, payload, processId }) => {
      if (!this.#ownProcesses.has(processId)) this.tell(channel, payload ?? '');
    });
    client.on('error', this.#onError);
    client.on('end', () => this.#reconnectLater());
    try {
      await client.connect();
    } catch (error) {
      client.removeAllListeners('end');
      this.#client = undefined;
      throw error;
    }
    return client;
  }

  /** Calls the listeners of this process. */
  tell(channel: string, payload: string): void {
    for (const listener of this.#channels.get(channel) ?? []) listener(payload);
  }

  #reconnectLater(): void {
    if (this.#isClosed || this.#retry) return;
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      void this.#reconnect();
    }, retryMs);
  }

  async #reconnect(): Promise<void> {
    let client: Client | undefined;
    try {
      this.#client = this.#connect();
      client = await this.#client;
      for (const channel of this.#channels.keys()) {
        await client.query(`listen ${client.escapeIdentifier(channel)}`);
      }
      for (const channel of this.#channels.keys()) this.tell(channel, '');
    } catch (error) {
      this.#onError(error);
      // A standby accepts connections and refuses LISTEN.
      if (client) endForGood(client);
      this.#reconnectLater();
    }
  }
}

/** Ends a connection whose end is not to be noticed. */
function endForGood(client: Client): void {
  client.removeAllListeners('end');
  client.end().catch(() => {});
}
