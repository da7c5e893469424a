import type { SavedSnippet } from '@bellhop/protocol';

import { Field, TextField } from '../../controls/field.tsx';
import { FormDialog } from '../../controls/form-dialog.tsx';
import { toast } from '../../controls/toasts.tsx';
import type { LiveAccount } from '../../live/live-account.ts';
import { textOf } from '../../text/text-of.ts';

interface SnippetDialogProps {
  readonly account: LiveAccount;
  readonly content?: string;
  /** The snippet that is changed; undefined: a new one. */
  readonly snippet?: SavedSnippet;
  readonly onClose: () => void;
}

/** Asks for the title and the text of a snippet. */
export function SnippetDialog({ account, content = '', snippet, onClose }: SnippetDialogProps) {
  const { savedSnippets } = account.client;
  const save = async (fields: FormData): Promise<unknown> => {
    const params = { title: textOf(fields.get('title')), content: textOf(fields.get('content')) };
    return snippet
      ? savedSnippets.update({ saved_snippet_id: snippet.id, ...params })
      : savedSnippets.add(params);
  };
  return (
    <FormDialog
      title={snippet ? 'Edit snippet' : 'New snippet'}
      action="Save"
      send={save}
      onSent={() => {
        onClose();
        toast('Snippet saved.');
      }}
      onClose={onClose}
    >
      <TextField
        label="Title"
        name="title"
        required
        autofocus
        maxLength={60}
        defaultValue={snippet?.title ?? ''}
      />
      <Field label="Text">
        <textarea
          class="input"
          name="content"
          rows={5}
          required
          maxLength={10_000}
          defaultValue={snippet?.content ?? content}
        />
      </Field>
    </FormDialog>
  );
}
