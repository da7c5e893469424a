import { useSignal } from '@preact/signals';

import { MenuItem, PopoverButton } from '../../controls/menu.tsx';
import type { LiveAccount } from '../../live/live-account.ts';
import { go } from '../../navigation/location.ts';
import { laterHref } from '../later-href.ts';
import { SnippetDialog } from './snippet-dialog.tsx';

interface SnippetMenuProps {
  readonly account: LiveAccount;
  /** The text of the message box. */
  readonly content: string;
  readonly onChoose: (content: string) => void;
}

/** Puts a saved snippet into the message box, or saves the text there as one. */
export function SnippetMenu({ account, content, onChoose }: SnippetMenuProps) {
  const isSaving = useSignal(false);
  const snippets = account.state.value?.saved_snippets ?? [];
  const onClose = () => (isSaving.value = false);
  return (
    <>
      <PopoverButton icon="message-square-text" label="Saved snippets">
        {snippets.map((snippet) => (
          <MenuItem
            key={snippet.id}
            icon="message-square-text"
            label={snippet.title}
            onSelect={() => onChoose(snippet.content)}
          />
        ))}
        {content.trim() !== '' && (
          <MenuItem
            icon="plus"
            label="Save this text as a snippet"
            onSelect={() => (isSaving.value = true)}
          />
        )}
        <MenuItem
          icon="settings"
          label="Manage snippets"
          onSelect={() => go(laterHref('snippets'))}
        />
      </PopoverButton>
      {isSaving.value && <SnippetDialog account={account} content={content} onClose={onClose} />}
    </>
  );
}
