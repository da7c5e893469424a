import { plainForm, wordKey } from '@bellhop/protocol';
import uFuzzy from '@leeoniya/ufuzzy';
import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';

import { Dialog } from '../controls/dialog.tsx';
import { Icon } from '../controls/icon.tsx';
import { toastError } from '../controls/toasts.tsx';
import { current } from '../live/accounts.ts';
import { go, href } from '../navigation/location.ts';
import { parts } from '../parts/parts.ts';
import { signOut } from '../session/session.ts';
import { toggleOwnTheme } from './appearance.ts';
import { loadCode } from './load-code.ts';
import { type PaletteItem, paletteSources } from './palette-items.ts';

import './palette.css';

const MAX_SHOWN = 50;
const matcher = new uFuzzy({ intraMode: 1 });

const pages = (): PaletteItem[] =>
  parts.map(({ id, title, icon }) => ({
    title,
    icon,
    kind: 'Page',
    run: () => go(href([id])),
  }));

/** What the parts offer that are not shown, too. */
async function offersOfParts(): Promise<readonly PaletteItem[]> {
  const account = current.peek();
  if (!account) return [];
  const loaded = parts.map(async ({ palette }) =>
    palette ? (await loadCode(palette))(account) : [],
  );
  const settled = await Promise.allSettled(loaded);
  const failed = settled.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') toastError(failed.reason);
  return settled.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
}

const ownActions = (onKeys: () => void): PaletteItem[] => {
  const account = current.peek();
  return [
    { title: 'Toggle dark theme', kind: 'Action', icon: 'sun-moon', run: toggleOwnTheme },
    { title: 'Keyboard shortcuts', kind: 'Action', icon: 'keyboard', run: onKeys },
    {
      title: 'Sign out',
      kind: 'Action',
      icon: 'log-out',
      run: () => void signOut(account?.user_id).catch(toastError),
    },
  ];
};

function find(all: readonly PaletteItem[], needle: string): readonly PaletteItem[] {
  const items = all.filter(({ takesWords }) => !takesWords);
  if (needle.trim() === '') return items.slice(0, MAX_SHOWN);
  const always = all.filter(({ takesWords }) => takesWords);
  const [indexes, info, order] = matcher.search(
    items.map(({ title, kind }) => plainForm(`${title} ${kind}`)),
    plainForm(needle),
    1,
  );
  const best = order && info ? order.map((at) => info.idx[at] ?? 0) : (indexes ?? []);
  const ranked = best
    .flatMap((at) => items[at] ?? [])
    .toSorted((a, b) => rankOf(a, needle) - rankOf(b, needle));
  return [...ranked.slice(0, MAX_SHOWN), ...always];
}

/** What is called so comes before what begins so, and that before what has the letters somewhere. */
function rankOf({ title }: PaletteItem, needle: string): number {
  const [name, wanted] = [wordKey(title), wordKey(needle.trim())];
  if (name === wanted) return 0;
  return name.startsWith(wanted) ? 1 : 2;
}

/** Finds pages, channels, people and actions by a few letters. */
export function PaletteDialog({ onClose, onKeys }: { onClose: () => void; onKeys: () => void }) {
  const needle = useSignal('');
  const chosen = useSignal(0);
  const id = useId();
  const all = useSignal<readonly PaletteItem[]>([
    ...pages(),
    ...paletteSources.peek().flatMap((source) => source()),
  ]);
  const offers = useRef(Promise.resolve());
  useEffect(() => {
    offers.current = offersOfParts().then((offered) => {
      all.value = [...all.peek(), ...offered, ...ownActions(onKeys)];
    });
  }, []);
  const found = find(all.value, needle.value);
  const run = (item: PaletteItem | undefined) => {
    if (!item) return;
    onClose();
    item.run(needle.peek().trim());
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      chosen.value = (chosen.value + step + found.length) % Math.max(1, found.length);
      document.getElementById(`${id}-${chosen.value}`)?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter') {
      event.preventDefault();
      // What is still being loaded may be what is asked for.
      void offers.current.then(() => run(find(all.peek(), needle.peek())[chosen.peek()]));
    }
  };
  return (
    <Dialog title="Command palette" onClose={onClose} class="palette">
      <input
        class="input"
        role="combobox"
        aria-label="Command palette"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={`${id}-${chosen.value}`}
        autofocus
        placeholder="Search pages, channels, people and actions…"
        value={needle.value}
        onInput={({ currentTarget }) => {
          needle.value = currentTarget.value;
          chosen.value = 0;
        }}
        onKeyDown={press}
      />
      <div id={`${id}-list`} class="palette-list" role="listbox" aria-label="Command palette">
        {found.map((item, at) => (
          <button
            key={at}
            id={`${id}-${at}`}
            type="button"
            role="option"
            tabindex={-1}
            class="menu-item"
            aria-selected={at === chosen.value}
            onClick={() => run(item)}
          >
            <Icon name={item.icon} />
            <span class="grow clip">
              {item.takesWords ? `${item.title} “${needle.value.trim()}”` : item.title}
            </span>
            <span class="muted">{item.kind}</span>
          </button>
        ))}
      </div>
      {found.length === 0 && <p class="muted">No results.</p>}
    </Dialog>
  );
}
