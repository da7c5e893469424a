import type { Bot } from '@bellhop/protocol';

import { CodeBlock } from '../controls/code-block.tsx';
import { Tabs } from '../controls/tabs.tsx';
import { query, setQuery } from '../navigation/location.ts';
import { type Language, snippetsOf } from './snippets.ts';
import { strings } from './strings.ts';

const isLanguage = (name: string | undefined): name is Language =>
  name !== undefined && Object.hasOwn(strings.snippetTabs, name);

/** Programs to run for a bot, in three languages. */
export function Programs({ bot, self }: { bot: Bot; self: number }) {
  const { language } = query.value;
  const chosen = isLanguage(language) ? language : 'typescript';
  return (
    <section class="setup-section programs" aria-label={strings.snippets}>
      <h3>{strings.snippets}</h3>
      <Tabs
        label={strings.snippets}
        tabs={strings.snippetTabs}
        chosen={chosen}
        onChoose={(next) => setQuery({ language: next }, { replace: true })}
      >
        {snippetsOf(bot, location.origin, self)[chosen].map(({ file, text, full }) => (
          <div key={file ?? 'run'}>
            <CodeBlock label={file ?? strings.run} text={text} copies={full} />
            {text !== full && <small class="muted">{strings.envNote}</small>}
          </div>
        ))}
      </Tabs>
    </section>
  );
}
