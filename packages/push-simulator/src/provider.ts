import type { AnswerFault, FaultProvider } from './faults.ts';

/** A request as a provider sees it, over either version of HTTP. */
export interface ProviderRequest {
  method: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  /** Names and values in turn, as they came. */
  rawHeaders: readonly string[];
  body: Buffer;
  /** The same object for all requests of a connection. */
  connection: object;
}

export interface ProviderAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** What the journal says; `deliver` may say better. */
  outcome: string;
  /** Hands the accepted notification on, and tells what became of it. */
  deliver?: () => string;
}

/** One of the services that are faked: what it answers, leaving aside how the wire behaves. */
export interface Provider {
  nameOf(request: ProviderRequest): FaultProvider;
  /** The device the request is about, if that can be seen. */
  tokenOf(request: ProviderRequest): string | null;
  answer(request: ProviderRequest): ProviderAnswer;
  /** The given trouble in the provider's own form. */
  fail(fault: AnswerFault, request: ProviderRequest): ProviderAnswer;
}

/** The headers that go with a fault's `retry_after`. */
export function retryAfter(value: number | string | undefined): Record<string, string> {
  return value === undefined ? {} : { 'retry-after': String(value) };
}
