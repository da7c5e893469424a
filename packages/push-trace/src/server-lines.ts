import type { PushTrace, PushTrigger, TraceAttempt } from '@bellhop/protocol';

import type { HopLine } from './hop-line.ts';

const reasons: Readonly<Record<PushTrigger, string>> = {
  direct_message: 'a direct message',
  mentioned: 'a mention of the user or of a group of theirs',
  topic_wildcard_mentioned_in_followed_topic: 'a mention of all in a topic that the user follows',
  stream_wildcard_mentioned_in_followed_topic: 'a mention of all in a topic that the user follows',
  topic_wildcard_mentioned: 'a mention of all in the topic',
  stream_wildcard_mentioned: 'a mention of all in the channel',
  followed_topic_push_notify: 'a topic that the user follows',
  stream_push_notify: 'a channel with pushes',
};

/** The lines of a chat server about a push. */
export const serverLines = (trace: PushTrace): HopLine[] =>
  [
    ...(trace.event_ms === null ? [] : [{ ms: trace.event_ms, text: eventText(trace) }]),
    ...(trace.job_ms === null ? [] : [{ ms: trace.job_ms, text: 'the job that pushes it began' }]),
    { ms: trace.encrypted_ms, text: encryptedText(trace) },
    ...trace.attempts.flatMap(attemptLines),
  ].map((line) => ({ ...line, hop: 'server' as const }));

function eventText({ type, message_id, trigger, waited_for_idle }: PushTrace): string {
  if (type === 'test') return 'test notification, asked for by the user';
  if (type === 'remove') return 'messages that the phone is to show no longer';
  const why = trigger === null ? '' : `, pushed as ${reasons[trigger]}`;
  const waits = waited_for_idle ? '; the user was online: it waits until they are idle' : '';
  return `message ${message_id}${why}${waits}`;
}

function encryptedText(trace: PushTrace): string {
  const { plaintext_bytes, padded_bytes, max_plaintext_bytes, key_fingerprint, push_key_id } =
    trace;
  const padding = padded_bytes > plaintext_bytes ? ` padded to ${padded_bytes}` : '';
  return `encrypted for the key ${push_key_id ?? key_fingerprint}, ${plaintext_bytes}${padding} of ${max_plaintext_bytes} bytes`;
}

function attemptLines({ sent_ms, answered_ms, outcome, reason }: TraceAttempt) {
  const why = reason === null ? '' : `: ${reason}`;
  return [
    { ms: sent_ms, text: 'sent to the bouncer' },
    { ms: answered_ms, text: `${outcome}${why} (${answered_ms - sent_ms} ms)` },
  ];
}
