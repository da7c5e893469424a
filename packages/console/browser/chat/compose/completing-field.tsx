import type { InitialState } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';

import { EmojiPicture } from '../emoji-picture.tsx';
import { loadEmoji } from '../emoji.ts';
import { type Completion, completionOf } from './completion.ts';
import { takesFocus } from './composer-focus.ts';
import { isSendKey } from './send-key.ts';

interface CompletingFieldProps {
  readonly state: InitialState;
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly enterSends: boolean;
  readonly onSend: () => void;
  /** Called for Up in an empty field. */
  readonly onUp: () => void;
  readonly onFiles: (files: FileList | undefined) => void;
}

/** A text field that completes people, channels and emoji. Escape leaves it. */
export function CompletingField(props: CompletingFieldProps) {
  const { state, label, value, onChange, enterSends, onSend, onUp, onFiles } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const completion = useSignal<Completion | undefined>(undefined);
  const chosen = useSignal(0);
  const id = useId();
  useEffect(() => void loadEmoji(state), []);
  useEffect(() => {
    if (takesFocus()) field.current?.focus();
  }, []);
  const look = () => {
    const { current: area } = field;
    if (!area) return;
    completion.value = completionOf(state, area.value.slice(0, area.selectionStart));
    chosen.value = 0;
  };
  const accept = (at: number) => {
    const { current: area } = field;
    const open = completion.peek();
    const insert = open?.suggestions[at]?.insert;
    if (!area || !open || insert === undefined) return;
    area.setRangeText(insert, open.from, area.selectionStart, 'end');
    completion.value = undefined;
    onChange(area.value);
    area.focus();
  };
  const press = (event: KeyboardEvent) => {
    const open = completion.peek();
    if (open && complete(event, open)) return;
    if (event.isComposing) return;
    const isHeld = event.shiftKey || event.ctrlKey || event.metaKey || event.altKey;
    if (isSendKey(event, enterSends)) onSend();
    else if (event.key === 'Escape') field.current?.blur();
    else if (event.key === 'ArrowUp' && !isHeld && field.current?.value === '') onUp();
    else return;
    event.preventDefault();
  };
  const complete = (event: KeyboardEvent, { suggestions }: Completion): boolean => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined)
      chosen.value = (chosen.value + step + suggestions.length) % suggestions.length;
    else if (event.key === 'Enter' || event.key === 'Tab') accept(chosen.value);
    else if (event.key === 'Escape') completion.value = undefined;
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  const open = completion.value;
  return (
    <div class="completing">
      {open && (
        <div id={id} class="suggestions" role="listbox" aria-label="Suggestions">
          {open.suggestions.map(({ key, label: text, hint, image }, at) => (
            <div
              key={key}
              id={`${id}-${at}`}
              role="option"
              class="menu-item"
              aria-selected={at === chosen.value}
              onMouseDown={(event) => {
                event.preventDefault();
                accept(at);
              }}
            >
              {image && <EmojiPicture {...image} />}
              <span class="clip">{text}</span>
              <span class="grow clip muted">{hint}</span>
            </div>
          ))}
        </div>
      )}
      <textarea
        ref={field}
        class="input"
        rows={2}
        data-composer
        aria-label={label}
        placeholder={label}
        aria-autocomplete="list"
        aria-controls={open ? id : undefined}
        aria-activedescendant={open ? `${id}-${chosen.value}` : undefined}
        value={value}
        onInput={({ currentTarget }) => {
          onChange(currentTarget.value);
          look();
        }}
        onClick={look}
        onBlur={() => (completion.value = undefined)}
        onKeyDown={press}
        onPaste={(event) => {
          const files = event.clipboardData?.files;
          if (!files || files.length === 0) return;
          event.preventDefault();
          onFiles(files);
        }}
      />
    </div>
  );
}
