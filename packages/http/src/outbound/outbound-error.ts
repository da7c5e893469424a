import { STATUS_CODES } from 'node:http';

import { type DeliveryFault, deliveryFaults, type FaultFacts } from '@bellhop/protocol/contract';

import { codeOf, type ConnectionFault } from '../answers/connection-fault.ts';
import type { OutboundResponse } from './outbound-response.ts';
import type { OutboundStep, OutboundTiming } from './step-clock.ts';

/** The fault of an answer that came and cannot be used: the endpoint would answer so again. */
export type AnswerFault = Extract<
  DeliveryFault,
  'not_http' | 'bad_http' | 'header_too_large' | 'bad_encoding' | 'too_large'
>;

/**
 * Why there is no complete response, by the names of `deliveryFaults`. `dns`: this server's resolver
 * failed. `canceled`: the caller's signal was aborted.
 */
export type OutboundFault =
  | AnswerFault
  | ConnectionFault
  | Extract<DeliveryFault, 'dns' | 'address_forbidden' | 'timeout'>
  | 'canceled';

export interface OutboundErrorDetails extends Pick<FaultFacts, 'detail' | 'sentence'> {
  cause?: unknown;
  /** The part of the answer that was read: status and headers, and what fits of a body that is not coded. */
  response?: OutboundResponse;
}

/** A failed request to a URL that a user set. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly fault: OutboundFault;
  /** A sentence for the user who set the URL; names nothing of the internal network. */
  readonly safeMessage: string;
  readonly response?: OutboundResponse;
  readonly detail?: string;
  /** The step in which the request failed, and the time it took; undefined if it was not sent. */
  measured?: { readonly step: OutboundStep; readonly timing: OutboundTiming };

  constructor(fault: OutboundFault, { cause, response, ...words }: OutboundErrorDetails = {}) {
    const safeMessage =
      fault === 'canceled'
        ? 'The request was given up.'
        : deliveryFaults[fault].forConversation(words);
    super(safeMessage, cause === undefined ? {} : { cause });
    this.fault = fault;
    this.safeMessage = safeMessage;
    if (response) this.response = response;
    if (words.detail !== undefined) this.detail = words.detail;
  }
}

/** The facts of a failed request from which `deliveryFaults` makes its sentences. */
export const factsOf = ({ detail, response, measured, cause }: OutboundError): FaultFacts => ({
  ...(response && statusFacts(response)),
  ...(measured && { step: measured.step, ms: measured.timing.total }),
  ...(detail !== undefined && { detail }),
  code: codeOf(cause),
});

/** The status of an answer for the words about a fault. */
export const statusFacts = ({ status }: Pick<OutboundResponse, 'status'>): FaultFacts => ({
  status,
  statusName: STATUS_CODES[status],
});
