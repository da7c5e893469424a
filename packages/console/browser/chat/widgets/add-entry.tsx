import { useSignal } from '@preact/signals';

import { Button } from '../../controls/button.tsx';

interface AddEntryProps {
  readonly label: string;
  readonly onAdd: (text: string) => void;
}

export function AddEntry({ label, onAdd }: AddEntryProps) {
  const text = useSignal('');
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.peek().trim() !== '') onAdd(text.peek().trim());
        text.value = '';
      }}
    >
      <input
        class="input grow"
        aria-label={label}
        placeholder={label}
        value={text.value}
        onInput={({ currentTarget }) => (text.value = currentTarget.value)}
      />
      <Button type="submit" disabled={text.value.trim() === ''}>
        Add
      </Button>
    </form>
  );
}
