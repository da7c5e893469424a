import { z } from 'zod';

import { Markdown, Timestamp, TopicName } from '../values/fields.ts';
import { ChannelId, UserId } from '../values/ids.ts';
import { MAX_CONTENT_LENGTH, MAX_LIST_LENGTH, MAX_NAME_LENGTH } from '../values/limits.ts';
import { endpoint } from '../wire/endpoint.ts';
import { event } from '../wire/event.ts';
import type { Permission } from '../wire/permission.ts';
import { resource, section, type StateOf } from '../wire/resource.ts';
import { changed } from './changed.ts';
import { AllowEmptyTopicName } from './messages/topic.ts';

/** Drafts that a user may have at most, and that `POST /register` returns. */
export const MAX_DRAFTS = 1000;
/** The end of the year 9999 in UNIX seconds. */
const MAX_TIMESTAMP = 253_402_300_799;

export const DraftId = z.int().nonnegative().brand<'DraftId'>();
export type DraftId = z.output<typeof DraftId>;

/** A draft as clients create and edit it (spec, Draft object). */
export const DraftContent = z
  .strictObject({
    type: z.enum(['', 'stream', 'private']).meta({
      description: 'Empty: neither a channel nor users are chosen yet',
    }),
    to: z.array(z.int().nonnegative()).max(MAX_LIST_LENGTH).meta({
      description: 'The ID of one channel, or the IDs of users',
    }),
    topic: TopicName.max(MAX_NAME_LENGTH),
    content: Markdown.max(MAX_CONTENT_LENGTH),
    timestamp: z.number().nonnegative().max(MAX_TIMESTAMP).optional().meta({
      description: 'UNIX time of the last edit in seconds. Default: now',
    }),
  })
  .meta({ id: 'DraftContent' });
export type DraftContent = z.output<typeof DraftContent>;

/** A stored draft (spec, Draft object). */
export const Draft = z
  .object({
    id: DraftId,
    type: z.enum(['', 'stream', 'private']),
    /** The channel, or the other participants; of a note to self the user's own ID. */
    to: z.array(z.union([ChannelId, UserId])),
    topic: TopicName,
    content: Markdown,
    /** UNIX time of the last edit in seconds. */
    timestamp: Timestamp,
  })
  .meta({ id: 'Draft' });
export type Draft = z.output<typeof Draft>;

/** The user added, edited or removed drafts. */
export const DraftsEvent = z.discriminatedUnion('op', [
  z.object({ type: z.literal('drafts'), op: z.literal('add'), drafts: z.array(Draft) }),
  z.object({ type: z.literal('drafts'), op: z.literal('update'), draft: Draft }),
  z.object({ type: z.literal('drafts'), op: z.literal('remove'), draft_id: DraftId }),
]);

/** Newest edit first. Empty while `enable_drafts_synchronization` is off. */
const state = { drafts: section({ drafts: z.array(Draft) }) };

const newestFirst = (one: Draft, other: Draft) =>
  other.timestamp - one.timestamp || other.id - one.id;

const applyDrafts = (
  known: StateOf<typeof state>,
  event: z.output<typeof DraftsEvent>,
): StateOf<typeof state> =>
  changed(known, 'drafts', (drafts) => {
    if (event.op === 'remove') return drafts.filter(({ id }) => id !== event.draft_id);
    const added = event.op === 'add' ? event.drafts : [event.draft];
    const ids = new Set(added.map(({ id }) => id));
    return [...drafts.filter(({ id }) => !ids.has(id)), ...added].sort(newestFirst);
  });

const ownDraft: Permission = { to: 'change the draft', grants: ['own'] };

export const drafts = resource({
  endpoints: {
    list: endpoint('GET /drafts', {
      summary: 'Get your drafts, oldest edit first',
      access: 'user',
      params: { allow_empty_topic_name: AllowEmptyTopicName },
      result: { count: z.int(), drafts: z.array(Draft) },
    }),

    add: endpoint('POST /drafts', {
      summary: 'Add drafts',
      access: 'user',
      params: { drafts: z.array(DraftContent).max(MAX_DRAFTS) },
      result: { ids: z.array(DraftId) },
      emits: [DraftsEvent],
    }),

    update: endpoint('PATCH /drafts/{draft_id}', {
      summary: 'Replace a draft',
      access: 'user',
      permissions: [ownDraft],
      params: { draft_id: DraftId, draft: DraftContent },
      emits: [DraftsEvent],
    }),

    remove: endpoint('DELETE /drafts/{draft_id}', {
      summary: 'Remove a draft',
      access: 'user',
      permissions: [ownDraft],
      params: { draft_id: DraftId },
      emits: [DraftsEvent],
    }),
  },
  events: [event(DraftsEvent, applyDrafts)],
  state,
});
