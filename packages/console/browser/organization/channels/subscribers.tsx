import type { UserId } from '@bellhop/protocol';

import { ActionButton } from '../../controls/action-button.tsx';
import { ErrorNotice } from '../../controls/error-notice.tsx';
import { useResource } from '../../loading/use-resource.ts';
import { Entries, parted } from '../frame/entries.tsx';
import { peopleOf } from '../frame/people.ts';
import { channelRights } from './channels-of.ts';
import type { OpenChannelProps } from './open-channel.ts';

/** The subscribers of a channel, and a button to subscribe oneself. */
export function Subscribers(props: OpenChannelProps) {
  const { account, state, channel } = props;
  const { stream_id, name } = channel;
  const { subscriptions, channels } = account.client;
  const found = useResource(() => channels.subscribers({ stream_id }), [stream_id], {
    account,
    on: ({ type }) => type === 'subscription',
  });
  const rights = channelRights(props, channel);
  const isSubscribed = state.subscriptions?.some((one) => one.stream_id === stream_id) === true;
  const add = (id?: number) =>
    subscriptions.add({
      subscriptions: [{ name }],
      ...(id === undefined ? {} : { principals: [id as UserId] }),
    });
  const remove = (id?: number) =>
    subscriptions.remove({
      subscriptions: [name],
      ...(id === undefined ? {} : { principals: [id as UserId] }),
    });
  return (
    <>
      {(isSubscribed || rights.subscribes) && !channel.is_archived && (
        <ActionButton run={() => (isSubscribed ? remove() : add())}>
          {isSubscribed ? 'Unsubscribe' : 'Subscribe'}
        </ActionButton>
      )}
      <ErrorNotice error={found.error} onRetry={found.refresh} />
      {found.value && (
        <Entries
          title={`Subscribers (${found.value.subscribers.length})`}
          {...parted(peopleOf(state), found.value.subscribers)}
          addLabel="Add subscriber"
          add={rights.adds ? add : undefined}
          remove={rights.removes ? remove : undefined}
        />
      )}
    </>
  );
}
