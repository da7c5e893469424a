import type { FetchedMessage } from '@bellhop/protocol';

import type { LiveAccount } from '../live/live-account.ts';
import { useKeys } from '../navigation/keys.ts';
import { go, href } from '../navigation/location.ts';
import type { MessageActions } from './message-actions.ts';
import { strings } from './strings.ts';
import { hrefOf, type View } from './view.ts';

interface KeysOf {
  readonly account: LiveAccount;
  readonly actions: MessageActions;
  readonly messages: () => readonly FetchedMessage[];
}

const focus = (selector: string) => document.querySelector<HTMLElement>(selector)?.focus();

/** Moves the focus to the next message (1) or the one before (-1); the newest one at first. */
function step(by: 1 | -1): void {
  const all = [...document.querySelectorAll<HTMLElement>('[data-message]')];
  const at = all.indexOf(
    document.activeElement?.closest<HTMLElement>('[data-message]') as HTMLElement,
  );
  const next = at === -1 ? all.at(-1) : all[at + by];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

/** The keys of a conversation. */
export function useChatKeys({ account, actions, messages }: KeysOf): void {
  const focused = () => messages().find(({ id }) => id === actions.active.peek());
  useKeys(strings.keys, [
    { keys: 'j', label: strings.keyNext, run: () => step(1) },
    { keys: 'k', label: strings.keyBefore, run: () => step(-1) },
    { keys: 'r', label: strings.keyReply, run: () => focus('[data-composer]') },
    { keys: '/', label: strings.keySearch, run: () => focus('[data-search]') },
    { keys: 'n', label: strings.keyUnread, run: () => goToUnread(account) },
    { keys: 'Escape', label: strings.keyBack, run: () => go(href(['chat'])) },
    {
      keys: 'e',
      label: strings.keyEdit,
      run: () => {
        const message = focused();
        if (message?.sender_id === account.user_id) actions.editing.value = message.id;
      },
    },
    {
      keys: 's',
      label: strings.keyStar,
      run: () => {
        const message = focused();
        if (message) actions.star(message);
      },
    },
  ]);
}

/** Goes to a conversation with unread messages, if there is one. */
function goToUnread({ state, user_id }: LiveAccount): void {
  const unread = state.peek()?.unread_msgs;
  const [direct] = unread?.pms ?? [];
  const [group] = unread?.huddles ?? [];
  const [topic] = unread?.streams ?? [];
  const others = group?.user_ids_string.split(',').map(Number) ?? [];
  const views: (View | undefined)[] = [
    direct && { kind: 'direct', users: [direct.other_user_id] },
    group && { kind: 'direct', users: others.filter((id) => id !== user_id) },
    topic && { kind: 'topic', channel: topic.stream_id, topic: topic.topic },
  ];
  const next = views.find((view) => view !== undefined);
  if (next) go(hrefOf(next));
}
