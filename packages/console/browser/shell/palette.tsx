import { plainForm } from '@bellhop/protocol';
import uFuzzy from '@leeoniya/ufuzzy';
import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';

import { Dialog } from '../controls/dialog.tsx';
import { Icon } from '../controls/icon.tsx';
import { go, href } from '../navigation/location.ts';
import { parts } from '../parts/parts.ts';
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

function find(items: readonly PaletteItem[], needle: string): readonly PaletteItem[] {
  if (needle.trim() === '') return items.slice(0, MAX_SHOWN);
  const [indexes, info, order] = matcher.search(
    items.map(({ title, kind }) => plainForm(`${title} ${kind}`)),
    plainForm(needle),
    1,
  );
  const best = order && info ? order.map((at) => info.idx[at] ?? 0) : (indexes ?? []);
  return best.slice(0, MAX_SHOWN).flatMap((at) => items[at] ?? []);
}

/** Finds pages, channels, people and actions by a few letters. */
export function PaletteDialog({ onClose }: { onClose: () => void }) {
  const needle = useSignal('');
  const chosen = useSignal(0);
  const id = useId();
  const all = useSignal([...pages(), ...paletteSources.peek().flatMap((source) => source())]);
  const found = find(all.value, needle.value);
  const run = (item: PaletteItem | undefined) => {
    if (!item) return;
    onClose();
    item.run();
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      chosen.value = (chosen.value + step + found.length) % Math.max(1, found.length);
      document.getElementById(`${id}-${chosen.value}`)?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(found[chosen.value]);
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
            key={`${item.kind} ${item.title}`}
            id={`${id}-${at}`}
            type="button"
            role="option"
            tabindex={-1}
            class="menu-item"
            aria-selected={at === chosen.value}
            onClick={() => run(item)}
          >
            <Icon name={item.icon} />
            <span class="grow clip">{item.title}</span>
            <span class="muted">{item.kind}</span>
          </button>
        ))}
      </div>
      {found.length === 0 && <p class="muted">No results.</p>}
    </Dialog>
  );
}
