import { z } from 'zod';

import { Markdown, Timestamp } from '../values/fields.ts';
import { endpoint } from '../wire/endpoint.ts';
import { event } from '../wire/event.ts';
import type { Permission } from '../wire/permission.ts';
import { resource, section, type StateOf } from '../wire/resource.ts';
import { changed } from './changed.ts';

/** Saved snippets that a user may have at most. */
export const MAX_SAVED_SNIPPETS = 1000;
const MAX_TITLE_LENGTH = 60;
const MAX_SNIPPET_LENGTH = 10_000;

export const SavedSnippetId = z.int().nonnegative().brand<'SavedSnippetId'>();
export type SavedSnippetId = z.output<typeof SavedSnippetId>;

/** A text that a user keeps for later messages. */
export const SavedSnippet = z
  .object({
    id: SavedSnippetId,
    title: z.string(),
    content: Markdown,
    /** UNIX time in seconds. */
    date_created: Timestamp,
  })
  .meta({ id: 'SavedSnippet' });
export type SavedSnippet = z.output<typeof SavedSnippet>;

/** The user added, edited or removed a saved snippet. */
export const SavedSnippetsEvent = z.discriminatedUnion('op', [
  z.object({
    type: z.literal('saved_snippets'),
    op: z.literal('add'),
    saved_snippet: SavedSnippet,
  }),
  z.object({
    type: z.literal('saved_snippets'),
    op: z.literal('update'),
    saved_snippet: SavedSnippet,
  }),
  z.object({
    type: z.literal('saved_snippets'),
    op: z.literal('remove'),
    saved_snippet_id: SavedSnippetId,
  }),
]);

const state = { saved_snippets: section({ saved_snippets: z.array(SavedSnippet) }) };

const applySavedSnippets = (
  known: StateOf<typeof state>,
  event: z.output<typeof SavedSnippetsEvent>,
): StateOf<typeof state> =>
  changed(known, 'saved_snippets', (snippets) => {
    if (event.op === 'remove') return snippets.filter(({ id }) => id !== event.saved_snippet_id);
    const { saved_snippet } = event;
    if (event.op === 'add') return [...snippets, saved_snippet];
    return snippets.map((one) => (one.id === saved_snippet.id ? saved_snippet : one));
  });

const title = z.string().trim().min(1).max(MAX_TITLE_LENGTH);
const content = Markdown.trim().min(1).max(MAX_SNIPPET_LENGTH).meta({ description: 'Markdown' });

const ownSnippet: Permission = { to: 'change the snippet', grants: ['own'] };

export const savedSnippets = resource({
  endpoints: {
    list: endpoint('GET /saved_snippets', {
      summary: 'Get your saved snippets',
      since: 297,
      access: 'user',
      result: { saved_snippets: z.array(SavedSnippet) },
    }),

    add: endpoint('POST /saved_snippets', {
      summary: 'Save a snippet',
      since: 297,
      access: 'user',
      params: { title, content },
      result: { saved_snippet_id: SavedSnippetId },
      emits: [SavedSnippetsEvent],
    }),

    update: endpoint('PATCH /saved_snippets/{saved_snippet_id}', {
      summary: 'Edit a saved snippet',
      since: 368,
      access: 'user',
      permissions: [ownSnippet],
      params: {
        saved_snippet_id: SavedSnippetId,
        title: title.optional(),
        content: content.optional(),
      },
      emits: [SavedSnippetsEvent],
    }),

    remove: endpoint('DELETE /saved_snippets/{saved_snippet_id}', {
      summary: 'Delete a saved snippet',
      since: 297,
      access: 'user',
      permissions: [ownSnippet],
      params: { saved_snippet_id: SavedSnippetId },
      emits: [SavedSnippetsEvent],
    }),
  },
  events: [event(SavedSnippetsEvent, applySavedSnippets)],
  state,
});
