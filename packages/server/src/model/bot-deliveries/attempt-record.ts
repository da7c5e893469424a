import type { OutboundTiming } from '@bellhop/http/outbound';
import type { AnswerExplanation, FaultFacts } from '@bellhop/protocol';

/** The record of one call of a webhook. It has no secrets. */
export interface AttemptRecord {
  readonly number: number;
  readonly url: string;
  readonly request_headers: Readonly<Record<string, string>>;
  readonly payload: string;
  /** Null if the request could not be made. */
  readonly timing: OutboundTiming | null;
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly truncated: boolean;
  } | null;
  /** The meaning of a complete 2xx answer. */
  readonly answer?: AnswerExplanation;
  /** What a verdict says of the attempt. */
  readonly facts: FaultFacts;
}
