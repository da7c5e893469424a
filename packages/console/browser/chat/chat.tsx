import { computed, useSignalEffect } from '@preact/signals';
import { useLayoutEffect, useMemo } from 'preact/hooks';

import { Empty } from '../controls/empty.tsx';
import { beside as besideAccount } from '../live/accounts.ts';
import { go, path, query } from '../navigation/location.ts';
import type { PartProps } from '../parts/part.ts';
import { Boundary } from '../shell/boundary.tsx';
import { Lazy } from '../shell/lazy.tsx';
import { failures } from '../shell/page-title.ts';
import { Workspace } from '../shell/workspace.tsx';
import { ChatList } from './chat-list.tsx';

import './chat.css';
import { outboxOf } from './compose/outbox.ts';
import { Conversation } from './conversation.tsx';
import { openedDialog } from './dialogs/opened-dialog.ts';
import { placeOfLink } from './fragments.ts';
import { hrefOf } from './href-of.ts';
import { laterTabOf } from './later/later-href.ts';
import { viewOf } from './view.ts';

/** Channels, topics and direct messages of an account, and of a second one beside it. */
export function Chat({ account }: PartProps) {
  const view = useMemo(() => computed(() => viewOf(path.value.slice(1))), []).value;
  const later = laterTabOf(path.value.slice(1));
  const near = Number(query.value['near']) || undefined;
  const second = besideAccount.value;
  useLayoutEffect(() => {
    const linked = view ? undefined : placeOfLink(location.hash, account.user_id);
    if (linked) go(hrefOf(linked.view, { near: linked.near }), { replace: true });
  }, []);
  useSignalEffect(() => {
    const { value: unsent } = outboxOf(account).unsent;
    failures.value = unsent.filter(({ reason }) => reason !== undefined).length;
    return () => (failures.value = 0);
  });
  return (
    <>
      <Lazy load={loadPalette} props={{ account, view }} />
      {openedDialog.value && <Lazy load={loadDialogs} props={{}} />}
      <Workspace
        listLabel="Conversations"
        list={<ChatList account={account} view={view} />}
        narrow={view || later ? 'main' : 'list'}
        main={
          later ? (
            <Lazy load={loadLater} props={{ account, tab: later }} />
          ) : view ? (
            <div class={second ? 'chat-panes two' : 'chat-panes'}>
              <Boundary key={JSON.stringify(view)}>
                <Conversation account={account} view={view} near={near} />
              </Boundary>
              {second?.state.value && (
                <Boundary key={`beside ${second.user_id} ${JSON.stringify(view)}`}>
                  <Conversation
                    account={second}
                    view={mirrored(view, account.user_id, second.user_id)}
                    near={undefined}
                    isBeside
                  />
                </Boundary>
              )}
            </div>
          ) : (
            <Lazy load={loadInbox} props={{ account, none: noConversation }} />
          )
        }
      />
    </>
  );
}

const noConversation = (
  <Empty icon="message-square" title="Select a conversation" command="npx bellhop try message">
    <p>
      Your channels, topics and direct messages are on the left. This command sends a message to the
      echo bot and shows its reply:
    </p>
  </Empty>
);

const loadInbox = async () => (await import('./inbox.tsx')).Inbox;

const loadLater = async () => (await import('./later/later.tsx')).Later;

const loadPalette = async () => (await import('./palette-of-chat.ts')).ChatPalette;

const loadDialogs = async () => (await import('./dialogs/dialog-view.tsx')).DialogView;

/** The same conversation from the view of the other account. */
function mirrored(view: NonNullable<ReturnType<typeof viewOf>>, self: number, other: number) {
  if (view.kind !== 'direct') return view;
  const all = new Set([...view.users, self]);
  all.delete(other);
  return { kind: 'direct', users: all.size > 0 ? [...all] : [other] } as const;
}
