import { ActionButton } from '../../controls/action-button.tsx';
import { ConfirmButton } from '../../controls/dialog-button.tsx';

interface ArchiveChoiceProps {
  readonly isArchived: boolean;
  /** The question before it is archived, and what that means. */
  readonly title: string;
  readonly text: string;
  readonly setArchived: (is_archived: boolean) => Promise<unknown>;
}

/** The button that archives a channel or folder, or takes it back from the archive. */
export const ArchiveChoice = ({ isArchived, title, text, setArchived }: ArchiveChoiceProps) =>
  isArchived ? (
    <ActionButton kind="primary" run={() => setArchived(false)}>
      Unarchive
    </ActionButton>
  ) : (
    <ConfirmButton
      kind="danger"
      icon="archive"
      label="Archive"
      title={title}
      run={() => setArchived(true)}
    >
      {text}
    </ConfirmButton>
  );
