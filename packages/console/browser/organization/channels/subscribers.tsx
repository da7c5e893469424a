import type { UserId } from '@bellhop/protocol';

import { Button } from '../../controls/button.tsx';
import { ErrorNotice } from '../../controls/error-notice.tsx';
import { useAction } from '../../controls/use-action.ts';
import { Entries, parted } from '../frame/entries.tsx';
import { peopleOf } from '../frame/people.ts';
import { useFetched } from '../frame/use-fetched.ts';
import { channelRights } from './channels-of.ts';
import type { OpenChannelProps } from './open-channel.ts';
import { strings } from './strings.ts';

/** The subscribers of a channel, and a button to subscribe oneself. */
export function Subscribers(props: OpenChannelProps) {
  const { account, state, channel } = props;
  const { stream_id, name } = channel;
  const { subscriptions, channels } = account.client;
  const found = useFetched(account, () => channels.subscribers({ stream_id }), ['subscription']);
  const { error, isBusy, run } = useAction();
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
        <Button isBusy={isBusy.value} onClick={() => run<unknown>(isSubscribed ? remove() : add())}>
          {isSubscribed ? strings.unsubscribe : strings.subscribe}
        </Button>
      )}
      <ErrorNotice error={error.value ?? found.error} />
      {found.value && (
        <Entries
          title={`${strings.subscribers} (${found.value.subscribers.length})`}
          {...parted(peopleOf(state), found.value.subscribers)}
          addLabel={strings.addSubscriber}
          add={rights.adds ? add : undefined}
          remove={rights.removes ? remove : undefined}
        />
      )}
    </>
  );
}
