import type { AnswerFault, FaultProvider } from './faults.ts';

/** A request as a provider sees it, over either version of HTTP. */
export interface ProviderRequest {
  method: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  /** Alternating names and values, in the order received. */
  rawHeaders: readonly string[];
  body: Buffer;
  /** The same object for all requests of a connection. */
  connection: object;
}

export interface ProviderAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** The outcome for the journal; that of `deliver` takes precedence. */
  outcome: string;
  /** Delivers the accepted notification; returns the outcome. */
  deliver?: () => string;
}

/** A simulated service: its answers, without the behaviour of the connection. */
export interface Provider {
  nameOf(request: ProviderRequest): FaultProvider;
  /** The device token of the request; null if it has none. */
  tokenOf(request: ProviderRequest): string | null;
  /** The text of the data that the app would get; undefined if there is none, or nobody can read it. */
  appTextOf(request: ProviderRequest): string | undefined;
  answer(request: ProviderRequest): ProviderAnswer;
  /** The answer for a fault, in the provider's own form. */
  fail(fault: AnswerFault, request: ProviderRequest): ProviderAnswer;
}

/** The headers that go with a fault's `retry_after`. */
export function retryAfter(value: number | string | undefined): Record<string, string> {
  return value === undefined ? {} : { 'retry-after': String(value) };
}
