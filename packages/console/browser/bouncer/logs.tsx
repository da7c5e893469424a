import {
  type AskOf,
  AuditAction,
  type AuditRecord,
  type BouncerOperator,
  type LoggedFeedback,
  OutcomeKind,
  type QueuedNotification,
  TokenKind,
} from '@bellhop/protocol';

import {
  auditColumns,
  feedbackColumns,
  pushColumns,
  queueColumns,
  type TracedPush,
} from './columns.tsx';
import { type Log, log, type Terms } from './log.tsx';

const emptyTexts = {
  waiting: 'Notifications wait here while their provider is unavailable.',
  ended: 'Notifications that the bouncer gave up on are kept here for 30 days.',
};

const limit = 200;
const provider = TokenKind.options;
const outcome = OutcomeKind.options;
const asked = (terms: Terms) => terms as AskOf<BouncerOperator['feedback']['list']>;
const hasFailed = (row: { readonly outcome: string }) =>
  row.outcome !== 'accepted' && row.outcome !== 'queued';

export const pushLog = log<TracedPush>({
  id: 'pushes',
  rowClass: 'log log-pushes',
  label: 'Notifications',
  keyOf: ({ push_id }) => push_id,
  timeOf: ({ at_ms }) => at_ms,
  nameOf: () => 'Notification',
  isFailed: hasFailed,
  columns: pushColumns,
  keys: { outcome, provider },
  fetchRows: async (client, terms) => (await client.pushes.list({ ...asked(terms), limit })).pushes,
  pathOf: ({ cipher_id }) => `/pushes?cipher_id=${cipher_id}`,
  empty: 'Notifications of the last 3 days appear here with all their attempts.',
});

export const feedbackLog = log<LoggedFeedback>({
  id: 'feedback',
  rowClass: 'log log-feedback',
  label: 'Feedback log',
  keyOf: ({ push_id, at_ms }) => `${push_id}-${at_ms}`,
  timeOf: ({ at_ms }) => at_ms,
  nameOf: () => 'Entry',
  isFailed: hasFailed,
  columns: feedbackColumns,
  keys: { outcome, provider },
  fetchRows: async (client, terms) =>
    (await client.feedback.list({ ...asked(terms), limit })).entries,
  pathOf: (row) => `/feedback?outcome=${row.outcome}&limit=${limit}`,
  pushOf: ({ push_id }) => push_id,
  empty:
    'Chat servers read this log to learn what happened to notifications that were not accepted at first.',
});

export const auditLog = log<AuditRecord>({
  id: 'audit',
  rowClass: 'log log-audit',
  label: 'Audit log',
  keyOf: ({ number }) => String(number),
  timeOf: ({ at_ms }) => at_ms,
  nameOf: () => 'Entry',
  columns: auditColumns,
  keys: { action: AuditAction.options },
  fetchRows: async (client, terms) =>
    (
      await client.audit.list({
        ...(terms as AskOf<BouncerOperator['audit']['list']>),
        limit,
      })
    ).entries,
  pathOf: ({ action }) => `/audit?action=${action}&limit=${limit}`,
  empty: 'Registrations, bans, key changes and replays, and who made them.',
});

/** Notifications that wait for their next attempt, or were given up. The bouncer answers the oldest 200. */
const queueLog = (state: 'waiting' | 'ended'): Log<QueuedNotification> =>
  log({
    id: 'queue',
    rowClass: 'log log-queue',
    label: 'Queue',
    keyOf: ({ push_id }) => push_id,
    timeOf: ({ accepted_ms }) => accepted_ms,
    nameOf: () => 'Notification',
    isFailed: () => state === 'ended',
    columns: queueColumns,
    keys: { provider },
    fetchRows: async (client, terms) =>
      (await client.queue.list({ ...asked(terms), state, limit })).notifications.toReversed(),
    pathOf: (row) => `/queue?state=${state}&provider=${row.provider}&limit=${limit}`,
    pushOf: ({ push_id }) => push_id,
    empty: emptyTexts[state],
  });
export const queueLogs = { waiting: queueLog('waiting'), ended: queueLog('ended') };
