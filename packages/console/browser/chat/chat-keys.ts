import type { Signal } from '@preact/signals';

import { toastError } from '../controls/toasts.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { userSetting } from '../live/user-setting.ts';
import { useKeys } from '../navigation/keys.ts';
import { go, href, setQuery } from '../navigation/location.ts';
import { focusComposer, focusTopic } from './compose/composer-focus.ts';
import { dayStep } from './day-step.ts';
import { openDialog } from './dialogs/opened-dialog.ts';
import type { Feed } from './feed.ts';
import { focusMessage } from './focus-message.ts';
import { hrefOf } from './href-of.ts';
import type { MessageActions } from './message-actions.ts';
import { viewOfMessage } from './recipient-head.tsx';
import type { View } from './view.ts';

interface KeysOf {
  readonly account: LiveAccount;
  readonly actions: MessageActions;
  readonly view: View;
  readonly feed: Feed;
  /** The topic of the message that is written to a channel as a whole. */
  readonly topic: Signal<string>;
}

const focus = (selector: string) => document.querySelector<HTMLElement>(selector)?.focus();

/** The address of the list from which Enter opened a conversation. */
let openedFrom: string | undefined;

/** The row of the message that has the focus. */
const focusedRow = () => document.activeElement?.closest<HTMLElement>('[data-message]');

/** The message that has the focus, else the first one in sight. */
function currentMessage(): number | undefined {
  const all = [...document.querySelectorAll<HTMLElement>('[data-message]')];
  const list = all[0]?.closest('.window-list');
  const top = list?.getBoundingClientRect().top ?? 0;
  const shown = focusedRow() ?? all.find((one) => one.getBoundingClientRect().bottom > top);
  return shown && Number(shown.dataset['message']);
}

/** Moves the focus to the next message (1) or the one before (-1); the newest one at first. */
function step(by: 1 | -1): void {
  const all = [...document.querySelectorAll<HTMLElement>('[data-message]')];
  const at = all.indexOf(focusedRow() as HTMLElement);
  const next = at === -1 ? all.at(-1) : all[at + by];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

/** The keys of a conversation. */
export function useChatKeys({ account, actions, view, feed, topic }: KeysOf): void {
  const showDay = async (by: 1 | -1) => {
    const from = currentMessage();
    const found = from === undefined ? undefined : await dayStep(feed, from, by);
    if (!found) return;
    setQuery({ near: String(found.id) }, { replace: true });
    focusMessage(found.id);
  };
  const open = () => {
    const message = focused();
    if (!message || view.kind === 'topic' || view.kind === 'direct') return;
    const near = String(message.id);
    openedFrom = hrefOf(view, { near });
    go(openedFrom, { replace: true });
    go(hrefOf(viewOfMessage(message, account.user_id), { near }));
  };
  const back = () => {
    const leadsHome = userSetting(account, 'web_escape_navigates_to_home_view');
    if (openedFrom !== undefined || leadsHome) go(openedFrom ?? href(['chat']));
    openedFrom = undefined;
  };
  // A row that comes to lie under the pointer becomes active too.
  const focused = () => {
    const id = Number(focusedRow()?.dataset['message'] ?? actions.active.peek());
    return feed.messages.peek().find((message) => message.id === id);
  };
  /** Writes to the conversation of the message with the focus. A new topic needs a name first. */
  const reply = () => {
    const isOfSeveral = view.kind !== 'topic' && view.kind !== 'direct';
    const message = isOfSeveral && focusedRow() ? focused() : undefined;
    if (view.kind === 'channel') {
      if (message) topic.value = message.subject;
      else if (topic.peek() === '') return void focusTopic();
    } else if (message) go(hrefOf(viewOfMessage(message, account.user_id)));
    else if (isOfSeveral) return;
    focusComposer();
  };
  useKeys('Chat', [
    { keys: 'j', label: 'Next message', run: () => step(1) },
    { keys: 'k', label: 'Previous message', run: () => step(-1) },
    { keys: 'r', label: 'Reply', run: reply },
    { keys: '/', label: 'Search messages', run: () => focus('[data-search]') },
    { keys: 'n', label: 'Next unread conversation', run: () => goToUnread(account) },
    { keys: '[', label: 'Previous day', run: () => void showDay(-1) },
    { keys: ']', label: 'Next day', run: () => void showDay(1) },
    { keys: 'Enter', label: 'Go to conversation', run: open },
    { keys: 'Escape', label: 'Go back', run: back },
    {
      keys: 'e',
      label: 'Edit message',
      run: () => {
        const message = focused();
        if (message?.sender_id === account.user_id) actions.editing.value = message.id;
      },
    },
    {
      keys: 'Shift+>',
      label: 'Quote message',
      run: () => {
        const message = focused();
        if (message)
          void import('./quote.ts')
            .then(({ quoteMessage }) => quoteMessage(account, message))
            .catch(toastError);
      },
    },
    {
      keys: 'u',
      label: 'Show who sent a message',
      run: () => {
        const user_id = focused()?.sender_id;
        if (user_id !== undefined) openDialog(account, { kind: 'person', user_id });
      },
    },
    {
      keys: 's',
      label: 'Star message',
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
