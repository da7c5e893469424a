import { CopyButton } from '../controls/copy-button.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { curlOf } from '../json/curl.ts';
import { type Json, JsonTree } from '../json/json-tree.tsx';
import type { MessageDialogProps } from './message-dialog-props.ts';

/** A message as the API gives it, and the call that fetches it. */
export function SourceDialog({ message, onClose }: MessageDialogProps) {
  const call = curlOf({
    method: 'GET',
    url: `${location.origin}/api/v1/messages/${message.id}`,
    headers: { Authorization: 'Basic' },
  });
  return (
    <Dialog title="Message as JSON" onClose={onClose}>
      <div class="command">
        <code class="grow">{call}</code>
        <CopyButton text={call} label="Copy as curl" />
      </div>
      <JsonTree value={JSON.parse(JSON.stringify(message)) as Json} label="Message as JSON" />
    </Dialog>
  );
}
