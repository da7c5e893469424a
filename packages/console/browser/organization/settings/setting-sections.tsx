import type { ComponentChildren } from 'preact';

import { Empty } from '../../controls/empty.tsx';
import { FilterField } from '../../list/filter-field.tsx';
import { matchesFilter } from '../../list/shown-filter.ts';

interface Setting {
  readonly name: string;
  readonly label: string;
  readonly field: ComponentChildren;
}
export interface SettingSection {
  readonly title: string;
  /** Stands before the settings. */
  readonly text?: string | undefined;
  readonly settings: readonly Setting[];
}

/** Groups of settings with a field that finds one by its label or its name in the API. */
export function SettingSections({ sections }: { sections: readonly SettingSection[] }) {
  const found = sections
    .map(({ title, text, settings }) => ({
      title,
      text,
      settings: settings.filter(({ name, label }) => matchesFilter(name, label, title)),
    }))
    .filter(({ settings }) => settings.length > 0);
  return (
    <>
      <div class="row org-tools">
        <FilterField label="Search settings" placeholder="Search settings" />
      </div>
      {found.length === 0 && <Empty icon="search" title="No matching settings" />}
      {found.map(({ title, text, settings }) => (
        <section key={title} class="org-settings" aria-label={title}>
          <h3>{title}</h3>
          {text && <p class="muted">{text}</p>}
          {settings.map(({ name, field }) => (
            <div key={name} class="org-setting">
              {field}
            </div>
          ))}
        </section>
      ))}
    </>
  );
}
