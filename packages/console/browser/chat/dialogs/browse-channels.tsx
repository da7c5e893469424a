import { useSignal } from '@preact/signals';

import { ActionButton } from '../../controls/action-button.tsx';
import { Button } from '../../controls/button.tsx';
import { Dialog } from '../../controls/dialog.tsx';
import { Icon } from '../../controls/icon.tsx';
import { hasWords } from '../../list/shown-filter.ts';
import {
  type AnyChannel,
  channelRights,
  channelsOf,
  mayCreateChannels,
} from '../../organization/channels/channels-of.ts';
import { rightsOf } from '../../organization/rights.ts';
import { hrefOf } from '../href-of.ts';
import type { ChatDialogProps } from './dialog-props.ts';
import { openDialog } from './opened-dialog.ts';

const SHOWN = 100;

/** All channels that the user sees, each with a button to join or leave it. */
export function BrowseChannels({ account, state, onClose }: ChatDialogProps) {
  const needle = useSignal('');
  const rights = rightsOf(state, account.user_id);
  const found = channelsOf(state).filter(
    ({ name, description, is_archived }) =>
      !is_archived && hasWords(needle.value, name, description),
  );
  const joined = new Set<number>((state.subscriptions ?? []).map(({ stream_id }) => stream_id));
  const actionOf = (channel: AnyChannel) => {
    const { name, stream_id } = channel;
    const { subscriptions } = account.client;
    if (joined.has(stream_id))
      return (
        <ActionButton run={() => subscriptions.remove({ subscriptions: [name] })}>
          Leave<span class="visually-hidden"> #{name}</span>
        </ActionButton>
      );
    if (!channelRights({ account, state, rights }, channel).subscribes) return null;
    return (
      <ActionButton kind="primary" run={() => subscriptions.add({ subscriptions: [{ name }] })}>
        Join<span class="visually-hidden"> #{name}</span>
      </ActionButton>
    );
  };
  return (
    <Dialog title="Browse channels" onClose={onClose}>
      <div class="row">
        <input
          class="input grow"
          autofocus
          aria-label="Filter channels"
          placeholder="Filter by name or description"
          onInput={({ currentTarget }) => (needle.value = currentTarget.value)}
        />
        {mayCreateChannels(rights) && (
          <Button icon="plus" onClick={() => openDialog(account, { kind: 'new-channel' })}>
            Create channel
          </Button>
        )}
      </div>
      <ul role="list" class="choices-list">
        {found.slice(0, SHOWN).map((channel) => {
          const { stream_id, name, description, invite_only, subscriber_count: count } = channel;
          return (
            <li key={stream_id} class="choices-row">
              <Icon name={invite_only ? 'lock' : 'hash'} />
              <div class="grow">
                <a href={hrefOf({ kind: 'channel', channel: stream_id })} onClick={onClose}>
                  {name}
                </a>
                <small class="muted">
                  {count} {count === 1 ? 'subscriber' : 'subscribers'}
                  {description && ` · ${description}`}
                </small>
              </div>
              {actionOf(channel)}
            </li>
          );
        })}
      </ul>
      {found.length === 0 && <p class="muted">No channels match.</p>}
      {found.length > SHOWN && (
        <p class="muted">{found.length - SHOWN} more channels. Type more of a name to find them.</p>
      )}
    </Dialog>
  );
}
