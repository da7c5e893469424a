import { computed, useSignalEffect } from '@preact/signals';
import { useLayoutEffect, useMemo } from 'preact/hooks';

import { beside as besideAccount } from '../live/accounts.ts';
import type { LiveAccount } from '../live/live-account.ts';
import { userSetting } from '../live/user-setting.ts';
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
import { HOME } from './home/home-names.ts';
import { hrefOf } from './href-of.ts';
import { laterTabOf } from './later-href.ts';
import { TOPICS } from './open-channel.ts';
import { isSettingUp, SET_UP } from './set-up/is-setting-up.ts';
import { viewOf } from './view.ts';

/** Channels, topics and direct messages of an account, and of a second one beside it. */
export function Chat({ account }: PartProps) {
  const view = useMemo(() => computed(() => viewOf(path.value.slice(1))), []).value;
  const later = laterTabOf(path.value.slice(1));
  const near = Number(query.value['near']) || undefined;
  const second = besideAccount.value;
  const [, page, item] = path.value;
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
        narrow={view || later || isMainPage(page, account) ? 'main' : 'list'}
        main={
          later ? (
            <Lazy key="later" load={loadLater} props={{ account, tab: later }} />
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
          ) : page === TOPICS ? (
            <Lazy
              key={`topics ${item}`}
              load={loadTopics}
              props={{ account, channel: Number(item) }}
            />
          ) : isSettingUp(account) && page !== HOME ? (
            <Lazy key="set-up" load={loadSetUp} props={{ account }} />
          ) : userSetting(account, 'web_home_view') === 'all_messages' ? (
            // A narrow screen shows the list at first. Messages out of sight would be marked as read.
            (page === HOME || !matchMedia('(max-width: 720px)').matches) && (
              <Boundary key="all">
                <Conversation account={account} view={ALL} near={undefined} />
              </Boundary>
            )
          ) : (
            <Lazy key="home" load={loadHome} props={{ account }} />
          )
        }
      />
    </>
  );
}

/** The same at every render. */
const ALL = { kind: 'all' } as const;

/** Whether a narrow screen shows a page that is no conversation in place of the list. */
const isMainPage = (page: string | undefined, account: LiveAccount): boolean =>
  page === HOME || page === TOPICS || (page === SET_UP && isSettingUp(account));

const loadSetUp = async () => (await import('./set-up/set-up-page.tsx')).SetUpPage;

const loadHome = async () => (await import('./home/home.tsx')).Home;

const loadTopics = async () => (await import('./home/topic-list.tsx')).TopicList;

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
