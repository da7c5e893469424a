import { ErrorNotice } from '../../controls/error-notice.tsx';
import type { LiveAccount } from '../../live/live-account.ts';
import { useResource } from '../../loading/use-resource.ts';
import { MessageContent } from '../message-content.tsx';

interface PreviewProps {
  readonly account: LiveAccount;
  readonly content: string;
}

/** The text as the message will look. */
export function Preview({ account, content }: PreviewProps) {
  const { value, error } = useResource(
    () => account.client.messages.render({ content }),
    [content],
  );
  return (
    <div class="preview" tabindex={0}>
      <ErrorNotice error={error} />
      <MessageContent html={value?.rendered ?? ''} account={account} />
    </div>
  );
}
