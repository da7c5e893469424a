import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

import './tabs.css';

interface TabsProps<T extends string> {
  readonly label: string;
  readonly tabs: Readonly<Record<T, string>>;
  readonly chosen: T;
  readonly onChoose: (tab: T) => void;
  readonly children: ComponentChildren;
}

/** Tabs and the panel of the chosen one. Arrow keys choose. */
export function Tabs<T extends string>({ label, tabs, chosen, onChoose, children }: TabsProps<T>) {
  const id = useId();
  const names = Object.keys(tabs) as T[];
  const press = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = names.at((names.indexOf(chosen) + step) % names.length);
    if (next === undefined) return;
    onChoose(next);
    document.getElementById(`${id}-${next}`)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} onKeyDown={press}>
        {names.map((name) => (
          <button
            key={name}
            id={`${id}-${name}`}
            type="button"
            role="tab"
            class="tab"
            aria-selected={name === chosen}
            aria-controls={`${id}-panel`}
            tabindex={name === chosen ? 0 : -1}
            onClick={() => onChoose(name)}
          >
            {tabs[name]}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} class="tab-panel" role="tabpanel" aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </>
  );
}
