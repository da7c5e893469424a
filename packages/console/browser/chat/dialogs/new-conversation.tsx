import { MAX_PARTICIPANTS } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';

import { Avatar } from '../../controls/avatar.tsx';
import { Button } from '../../controls/button.tsx';
import { Dialog } from '../../controls/dialog.tsx';
import { Icon } from '../../controls/icon.tsx';
import { hasWords } from '../../list/shown-filter.ts';
import { writeTo } from '../compose/composer-focus.ts';
import { nameOfUser } from '../names.ts';
import type { ChatDialogProps } from './dialog-props.ts';

const SHOWN = 50;

interface NewConversationProps extends ChatDialogProps {
  /** The users that are chosen at first. */
  readonly users: readonly number[];
}

/** Chooses the people of a direct conversation, and opens it. */
export function NewConversation({ account, state, users, onClose }: NewConversationProps) {
  const needle = useSignal('');
  const chosen = useSignal(users);
  const isSearched = needle.value.trim() !== '';
  const found = (state.realm_users ?? [])
    .filter(
      ({ user_id, full_name, email }) =>
        user_id !== account.user_id && hasWords(needle.value, full_name, email),
    )
    .toSorted((a, b) => a.full_name.localeCompare(b.full_name))
    .slice(0, SHOWN);
  const isFull = chosen.value.length >= MAX_PARTICIPANTS - 1;
  const toggle = (id: number) => {
    const { value } = chosen;
    if (value.includes(id)) chosen.value = value.filter((one) => one !== id);
    else if (!isFull) chosen.value = [...value, id];
  };
  const start = () => {
    onClose();
    writeTo({ kind: 'direct', users: chosen.value });
  };
  return (
    <Dialog title="New conversation" onClose={onClose}>
      <form
        class="dialog-form"
        onSubmit={(event) => {
          event.preventDefault();
          const [first] = found;
          // Enter chooses the first person that was found, then starts.
          if (isSearched && first && !chosen.value.includes(first.user_id)) {
            toggle(first.user_id);
            needle.value = '';
          } else if (chosen.value.length > 0) start();
        }}
      >
        {chosen.value.length > 0 && (
          <div class="chosen-people">
            {chosen.value.map((id) => (
              <button key={id} type="button" class="pill" onClick={() => toggle(id)}>
                {nameOfUser(state, id)}
                <Icon name="x" />
                <span class="visually-hidden">Remove</span>
              </button>
            ))}
          </div>
        )}
        <input
          class="input"
          autofocus
          aria-label="Find people"
          placeholder="Find people by name or email"
          value={needle.value}
          onInput={({ currentTarget }) => (needle.value = currentTarget.value)}
        />
        <ul role="list" class="choices-list" aria-label="People">
          {found.map(({ user_id, full_name, is_bot }) => (
            <li key={user_id}>
              <label class="choices-row person-choice">
                <input
                  type="checkbox"
                  checked={chosen.value.includes(user_id)}
                  disabled={isFull && !chosen.value.includes(user_id)}
                  onChange={() => toggle(user_id)}
                />
                <Avatar small name={full_name} id={user_id} />
                <span class="grow clip">{full_name}</span>
                {is_bot && <span class="muted">Bot</span>}
              </label>
            </li>
          ))}
        </ul>
        {found.length === 0 && <p class="muted">Nobody matches.</p>}
        {isFull && (
          <p class="muted">A conversation has at most {MAX_PARTICIPANTS} people with you.</p>
        )}
        <div class="actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={chosen.value.length === 0 && !isSearched}>
            Start conversation
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
