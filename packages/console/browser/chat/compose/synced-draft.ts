import { type Draft, type DraftId, foldCase } from '@bellhop/protocol';

import type { LiveAccount } from '../../live/live-account.ts';
import type { Destination } from './destination.ts';

const SAVE_MS = 1000;

export interface SyncedDraft {
  /** The text that was left in this conversation, on any device. */
  readonly initial: string;
  /** Saves the text after a second without a change; an empty one removes the draft. */
  readonly changed: (content: string) => void;
  /** Removes the draft: it was sent. */
  readonly sent: () => void;
  /** Saves unsaved changes now. */
  readonly leave: () => void;
  /** Forgets unsaved changes, and removes the draft if it began here: the text goes to another conversation. */
  readonly moved: () => void;
}

/** The draft of a conversation, kept on the server for all devices of the user. */
export function syncedDraft(account: LiveAccount, to: Destination): SyncedDraft {
  const found = () => account.state.peek()?.drafts?.find((draft) => isOf(draft, to));
  const state = account.state.peek();
  const isOn = state?.user_settings?.enable_drafts_synchronization !== false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let unsaved: string | undefined;
  let added: DraftId | undefined;
  let known: DraftId | undefined = found()?.id;
  let last = Promise.resolve();
  const inTurn = (work: () => Promise<void>) => {
    // A draft that cannot be saved is still in the field.
    last = last.then(work).catch(() => undefined);
  };
  const save = (content: string) => {
    unsaved = undefined;
    clearTimeout(timer);
    if (isOn) inTurn(() => store(content));
  };
  const store = async (content: string) => {
    const { drafts } = account.client;
    const id = found()?.id ?? known;
    if (content.trim() === '') {
      known = undefined;
      if (id !== undefined) await drafts.remove({ draft_id: id });
      return;
    }
    const draft = { ...placeOf(to), content };
    if (id === undefined) added = known = (await drafts.add({ drafts: [draft] })).ids[0];
    else await drafts.update({ draft_id: id, draft });
  };
  return {
    initial: found()?.content ?? '',
    changed: (content) => {
      unsaved = content;
      clearTimeout(timer);
      timer = setTimeout(() => save(content), SAVE_MS);
    },
    sent: () => save(''),
    leave: () => {
      if (unsaved !== undefined) save(unsaved);
    },
    moved: () => {
      unsaved = undefined;
      clearTimeout(timer);
      inTurn(async () => {
        if (added !== undefined) await account.client.drafts.remove({ draft_id: added });
      });
    },
  };
}

const placeOf = (to: Destination) =>
  to.type === 'channel'
    ? { type: 'stream' as const, to: [to.channel], topic: to.topic }
    : { type: 'private' as const, to: [...to.users], topic: '' };

function isOf(draft: Draft, to: Destination): boolean {
  const place = placeOf(to);
  const key = (users: readonly number[]) => users.toSorted((a, b) => a - b).join(',');
  return (
    draft.type === place.type &&
    key(draft.to) === key(place.to) &&
    foldCase(draft.topic) === foldCase(place.topic)
  );
}
