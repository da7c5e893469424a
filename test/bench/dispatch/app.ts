import type { RequestListener } from 'node:http';

/** A request as its platform sends it. */
export interface AppRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What an app is served by, in the process where it is measured. */
export interface Serving {
  readonly listener: RequestListener;
  /**
   * Makes the nth event, parsed already and believed, ready to be dispatched without HTTP. Undefined
   * where there is no framework.
   */
  readonly inProcess?: (n: number) => () => Promise<unknown>;
}

/** One row of the comparison: a bot framework, or the least that answers like one. */
export interface App {
  readonly name: string;
  /** Loads the framework. The handler calls `handled` once per event; the last command matches. */
  readonly serve: (handled: () => void, commands: number) => Promise<Serving>;
  /** The nth request, with its genuine credential or with a wrong one. */
  readonly request: (n: number, genuine: boolean) => AppRequest;
}

const BODY_BYTES = 1280;

/** What `build` makes when its padding brings it to the size that every body has. */
export function padded(build: (padding: string) => string): string {
  const missing = BODY_BYTES - Buffer.byteLength(build(''));
  if (missing < 0) throw new Error('The body is too long without padding');
  return build('x'.repeat(missing));
}
