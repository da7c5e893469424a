interface LeadingTab<Message> {
  /** Names the lock and the channel: the same in all tabs. */
  readonly name: string;
  readonly signal: AbortSignal;
  /** Takes a message of another tab. */
  readonly onMessage: (message: Message) => void;
  /** Runs in the one tab that leads, until `signal` aborts. */
  readonly lead: () => Promise<void>;
}

/**
 * One tab of the browser leads, which means that it asks the server for all: a browser opens six
 * connections to a server over HTTP/1.1, and a long poll keeps one. When the leading tab closes, another
 * one leads. Returns how to send a message to the other tabs.
 */
export function leadingTab<Message>(options: LeadingTab<Message>): (message: Message) => void {
  const { name, signal, onMessage, lead } = options;
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (!signal.aborted) onMessage(data);
  };
  signal.addEventListener('abort', () => channel.close());
  // Only pages of https and of localhost have locks: elsewhere each tab leads.
  const locks = navigator.locks as LockManager | undefined;
  const leading = locks ? locks.request(name, { signal }, lead) : Promise.resolve().then(lead);
  leading.catch((error: unknown) => {
    if (!signal.aborted) reportError(error);
  });
  return (message) => {
    if (!signal.aborted) channel.postMessage(message);
  };
}
