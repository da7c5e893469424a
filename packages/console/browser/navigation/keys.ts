import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { tinykeys } from 'tinykeys';

/** Keys of the list that `?` shows. */
export interface ListedKeys {
  /** Keys in the notation of tinykeys: `j`, `g c`, `$mod+k`. */
  readonly keys: string;
  readonly label: string;
}
export interface KeyBinding extends ListedKeys {
  readonly run: (event: KeyboardEvent) => void;
}
export interface KeyGroup {
  readonly title: string;
  readonly bindings: readonly ListedKeys[];
}

/** The keys of everything on the page, for the list that `?` shows. */
export const keyGroups = signal<readonly KeyGroup[]>([]);

/**
 * Binds keys while the component is on the page. Keys without Ctrl do nothing while the user types.
 */
export function useKeys(title: string, bindings: readonly KeyBinding[]): void {
  const newest = useRef(bindings);
  newest.current = bindings;
  useEffect(() => {
    const group = { title, bindings: newest.current };
    const map = Object.fromEntries(
      newest.current.map(({ keys }, at) => [
        keys,
        (event: KeyboardEvent) => {
          if (!keys.includes('$mod') && (isTyping(event) || document.querySelector(OPEN))) return;
          if (isPressed(event, keys)) return;
          event.preventDefault();
          newest.current[at]?.run(event);
        },
      ]),
    );
    keyGroups.value = [...keyGroups.peek(), group];
    const unbind = tinykeys(window, map, { ignore: isHeldOrComposed });
    return () => {
      unbind();
      keyGroups.value = keyGroups.peek().filter((one) => one !== group);
    };
  }, [title, bindings.map(({ keys }) => keys).join('|')]);
}

/** What takes the keys of the page while it is open: Escape closes a menu, and leads nowhere. */
const OPEN = 'dialog[open], :popover-open';
/** Lists keys that a field of its own handles, while the component is on the page. */
export function useListedKeys(title: string, bindings: readonly ListedKeys[]): void {
  useEffect(() => {
    const group = { title, bindings };
    keyGroups.value = [...keyGroups.peek(), group];
    return () => {
      keyGroups.value = keyGroups.peek().filter((one) => one !== group);
    };
  }, [title, bindings.map(({ keys }) => keys).join('|')]);
}

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
/** The key that `$mod` stands for, as it is written on the keyboard. */
export const modKey = isMac ? '⌘' : 'Ctrl';

/** A key that repeats itself, or that an input method takes. By default no key works in a text field. */
const isHeldOrComposed = ({ repeat, isComposing }: KeyboardEvent) => repeat || isComposing;

const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select'));

/** Whether Space or Enter presses the element that has the focus. */
const isPressed = ({ target }: KeyboardEvent, keys: string): boolean =>
  target instanceof HTMLElement &&
  ((keys === 'Space' && target.matches('button, input, summary')) ||
    (keys === 'Enter' && target.matches('a, button, input, summary')));
