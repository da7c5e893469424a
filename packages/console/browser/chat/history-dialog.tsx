import { diffWords } from 'diff';

import { Dialog } from '../controls/dialog.tsx';
import { ErrorNotice } from '../controls/error-notice.tsx';
import { Time } from '../controls/time.tsx';
import { useResource } from '../loading/use-resource.ts';
import { Loading } from '../shell/part-view.tsx';
import type { MessageDialogProps } from './message-dialog-props.ts';
import { nameOfUser, topicName } from './names.ts';

/** The versions of a message, newest first, each with what changed. */
export function HistoryDialog({ account, message, onClose }: MessageDialogProps) {
  const { value, error, refresh } = useResource(() =>
    account.client.messages.history({ message_id: message.id, allow_empty_topic_name: true }),
  );
  const versions = value?.message_history.toReversed();
  const state = account.state.value;
  return (
    <Dialog title="Edit history" onClose={onClose}>
      <ErrorNotice error={error} onRetry={refresh} />
      {!versions && error === undefined && <Loading />}
      {versions?.map((version, at) => (
        <section key={at} class="version">
          <header class="row">
            <strong class="grow clip">
              {state && version.user_id !== null ? nameOfUser(state, version.user_id) : ''}
            </strong>
            <Time seconds={version.timestamp} />
          </header>
          {version.prev_topic !== undefined && (
            <p class="muted">
              Topic: {topicName(version.prev_topic)} → {topicName(version.topic)}
            </p>
          )}
          <p class="diff">
            {version.prev_content === undefined
              ? version.content
              : diffWords(version.prev_content, version.content).map(({ added, removed, value }) =>
                  added ? <ins>{value}</ins> : removed ? <del>{value}</del> : value,
                )}
          </p>
        </section>
      ))}
    </Dialog>
  );
}
