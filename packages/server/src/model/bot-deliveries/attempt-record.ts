import type { OutboundStep, OutboundTiming } from '@bellhop/http/outbound';
import type { AnswerExplanation } from '@bellhop/protocol';

/** The record of one call of a webhook. It has no secrets. */
export interface AttemptRecord {
  readonly number: number;
  readonly url: string;
  readonly request_headers: Readonly<Record<string, string>>;
  readonly payload: string;
  /** The time limit of the attempt in milliseconds. */
  readonly limitMs: number;
  /** Null if the request could not be made. */
  readonly timing: OutboundTiming | null;
  /** The step in which the request failed. */
  readonly step?: OutboundStep;
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly truncated: boolean;
  } | null;
  /** The meaning of a complete 2xx answer. */
  readonly answer?: AnswerExplanation;
  /** The code of the error of the connection. */
  readonly cause?: string;
  /** What is wrong with an answer that cannot be read, as the rest of a sentence that begins with "the answer". */
  readonly unreadable?: string;
}
