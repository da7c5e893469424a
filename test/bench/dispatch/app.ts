import type { RequestListener } from 'node:http';

/** A request as its platform sends it. */
export interface AppRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An app, loaded in the process that measures it. */
interface LoadedApp {
  readonly listener: RequestListener;
  /**
   * Prepares the nth event, parsed and authenticated. The function returned dispatches it without
   * HTTP. Undefined for apps without a framework.
   */
  readonly inProcess?: (n: number) => () => Promise<unknown>;
}

/** One row of the comparison: a bot framework, or a minimal app that responds alike. */
export interface App {
  readonly name: string;
  /** Loads the framework. The handler calls `handled` once per event; the last command matches. */
  readonly serve: (handled: () => void, commands: number) => Promise<LoadedApp>;
  /** The nth request, with its genuine credential or with a wrong one. */
  readonly request: (n: number, genuine: boolean) => AppRequest;
}

const BODY_BYTES = 1280;

/** Calls `build` with the padding that makes its result BODY_BYTES long. Throws if it is longer without padding. */
export function padded(build: (padding: string) => string): string {
  const missing = BODY_BYTES - Buffer.byteLength(build(''));
  if (missing < 0) throw new Error('The body is too long without padding');
  return build('x'.repeat(missing));
}
