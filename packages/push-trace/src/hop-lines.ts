import type { PushArrival, PushPayload } from '@bellhop/protocol';

import { bouncerLines } from './bouncer-lines.ts';
import { type HopLine, inOrder } from './hop-line.ts';
import type { JoinedTrace, TracedAttempt } from './join-hops.ts';
import { serverLines } from './server-lines.ts';

/** The lines of all services about a push, ordered by time. */
export const hopLines = (trace: JoinedTrace): HopLine[] =>
  inOrder([
    ...(trace.server ? serverLines(trace.server) : []),
    ...trace.bouncer.flatMap(bouncerLines),
    ...trace.attempts.map((attempt) => ({
      ms: Date.parse(attempt.at),
      hop: 'provider' as const,
      text: attemptText(attempt),
    })),
    ...trace.arrivals.map((arrival) => ({
      ms: Date.parse(arrival.received_at),
      hop: 'phone' as const,
      text: arrivalText(arrival),
    })),
  ]);

function attemptText({ status, outcome, explanation, size, limit }: TracedAttempt): string {
  const meaning = explanation === undefined ? '' : ` (${explanation})`;
  return `${status ?? 'no answer:'} ${outcome}${meaning}, ${size} of ${limit} bytes`;
}

/** The notification on a phone in one line, or the reason why the phone refused it. */
export const arrivalText = ({ payload, refused }: PushArrival): string =>
  payload === undefined ? `refused: ${refused}` : payloadText(payload);

function payloadText(payload: PushPayload): string {
  switch (payload.type) {
    case 'message': {
      const conversation =
        payload.recipient_type === 'channel'
          ? `#${payload.channel_name} > ${payload.topic}`
          : 'direct';
      return `message ${payload.message_id}, ${conversation}, ${payload.sender_full_name}: ${payload.content}`;
    }
    case 'remove':
      return `remove ${payload.message_ids.join(', ')}`;
    case 'test':
      return `test notification of ${payload.realm_name}`;
  }
}
