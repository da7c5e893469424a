import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { ErrorNotice } from '../../controls/error-notice.tsx';
import type { LiveAccount } from '../../live/live-account.ts';
import { MessageContent } from '../message-content.tsx';

interface PreviewProps {
  readonly account: LiveAccount;
  readonly content: string;
}

/** The text as the message will look. */
export function Preview({ account, content }: PreviewProps) {
  const html = useSignal('');
  const error = useSignal<unknown>(undefined);
  useEffect(() => {
    account.client.messages.render({ content }).then(
      ({ rendered }) => (html.value = rendered),
      (problem: unknown) => (error.value = problem),
    );
  }, [content]);
  return (
    <div class="preview" tabindex={0}>
      <ErrorNotice error={error.value} />
      <MessageContent html={html.value} account={account} />
    </div>
  );
}
