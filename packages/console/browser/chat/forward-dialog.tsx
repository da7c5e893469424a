import { useSignal } from '@preact/signals';

import { Field, SelectField, TextField } from '../controls/field.tsx';
import { FormDialog } from '../controls/form-dialog.tsx';
import { toast } from '../controls/toasts.tsx';
import { go } from '../navigation/location.ts';
import { textOf } from '../text/text-of.ts';
import { type Destination, sendParams, viewOfDestination } from './compose/destination.ts';
import { directConversations } from './direct-conversations.ts';
import { hrefOf } from './href-of.ts';
import { MessageContent } from './message-content.tsx';
import type { MessageDialogProps } from './message-dialog-props.ts';
import { titleOf } from './names.ts';
import { quotationOf } from './quote.ts';

/** Asks where to send a message again, as a quotation with a comment. */
export function ForwardDialog({ account, message, onClose }: MessageDialogProps) {
  const state = account.state.value;
  const channels = (state?.subscriptions ?? [])
    .filter(({ is_archived }) => !is_archived)
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .map(({ stream_id, name }) => ({ value: `channel ${stream_id}`, label: `#${name}` }));
  const people = (state ? directConversations(state, account.user_id) : []).map(
    ({ users, name }) => ({ value: `direct ${users.join(',')}`, label: name }),
  );
  const options = [...channels, ...people];
  const place = useSignal(options[0]?.value ?? '');
  const isChannel = place.value.startsWith('channel');
  const forward = async (fields: FormData): Promise<Destination> => {
    const [kind, ids = ''] = place.peek().split(' ');
    const to: Destination =
      kind === 'channel'
        ? { type: 'channel', channel: Number(ids), topic: textOf(fields.get('topic')).trim() }
        : { type: 'direct', users: ids.split(',').map(Number) };
    const comment = textOf(fields.get('comment')).trim();
    const quotation = await quotationOf(account, message);
    const content = comment === '' ? quotation : `${comment}\n\n${quotation}`;
    await account.client.messages.send({ ...sendParams(to), content, read_by_sender: true });
    return to;
  };
  return (
    <FormDialog
      title="Forward message"
      action="Forward"
      send={forward}
      onSent={(to) => {
        onClose();
        const view = viewOfDestination(to);
        const title = state ? titleOf(state, view, account.user_id) : '';
        toast(`Forwarded to ${title}.`, { label: 'Show', run: () => go(hrefOf(view)) });
      }}
      onClose={onClose}
    >
      <SelectField
        label="To"
        value={place.value}
        onChoose={(value) => (place.value = value)}
        options={options}
      />
      {isChannel && (
        <TextField
          label="Topic"
          name="topic"
          maxLength={60}
          hint="Without a topic it goes to general chat."
        />
      )}
      <Field label="Comment">
        <textarea class="input" name="comment" rows={2} maxLength={4000} />
      </Field>
      <blockquote class="forwarded">
        <strong>{message.sender_full_name}</strong>
        <MessageContent html={message.content} account={account} />
      </blockquote>
    </FormDialog>
  );
}
