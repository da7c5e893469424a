import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import type { LiveAccount } from '../live/live-account.ts';
import { EmojiPicture } from './emoji-picture.tsx';
import { allEmoji, customEmoji, type Emoji, findEmoji, loadEmoji, usualNames } from './emoji.ts';

interface EmojiPickerProps {
  readonly account: LiveAccount;
  readonly onPick: (emoji: Emoji) => void;
}
const SHOWN = 48;

/** Finds an emoji by its name. */
export function EmojiPicker({ account, onPick }: EmojiPickerProps) {
  const needle = useSignal('');
  const state = account.state.value;
  useEffect(() => {
    if (state) void loadEmoji(state);
  }, []);
  if (!state) return null;
  const all = allEmoji(state);
  const usual = usualNames.flatMap((name) => all.find((one) => one.name === name) ?? []);
  const offered = [...usual, ...customEmoji(state).filter((one) => !usualNames.includes(one.name))];
  const found = needle.value === '' ? offered : eachOnce(findEmoji(all, needle.value, all.length));
  return (
    <div class="emoji-picker">
      <input
        class="input"
        aria-label="Search emoji"
        placeholder="Search emoji"
        value={needle.value}
        onInput={({ currentTarget }) => (needle.value = currentTarget.value)}
        onKeyDown={(event) => {
          const [first] = found;
          if (event.key !== 'Enter' || !first) return;
          event.preventDefault();
          onPick(first);
          event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
        }}
      />
      <div class="emoji-grid">
        {found.slice(0, SHOWN).map((emoji) => (
          <button
            key={`${emoji.type} ${emoji.name}`}
            type="button"
            class="emoji-button"
            data-closes
            aria-label={emoji.name}
            title={`:${emoji.name}:`}
            onClick={() => onPick(emoji)}
          >
            {emoji.image ? <EmojiPicture {...emoji.image} /> : emoji.text}
          </button>
        ))}
      </div>
    </div>
  );
}

/** Without the other names of the same emoji. */
function eachOnce(all: readonly Emoji[]): readonly Emoji[] {
  const taken = new Set<string>();
  return all.filter(({ type, code }) => {
    const key = `${type} ${code}`;
    const isNew = !taken.has(key);
    taken.add(key);
    return isNew;
  });
}
