import type { Bot } from '@bellhop/protocol';

import { CodeBlock } from '../controls/code-block.tsx';
import { Tabs } from '../controls/tabs.tsx';
import { query, setQuery } from '../navigation/location.ts';
import { type Language, snippetsOf } from './snippets.ts';

const languages = { typescript: 'TypeScript', curl: 'curl', python: 'Python' };

const isLanguage = (name: string | undefined): name is Language =>
  name !== undefined && Object.hasOwn(languages, name);

/** Programs to run for a bot, in three languages. */
export function Programs({ bot, self }: { bot: Bot; self: number }) {
  const { language } = query.value;
  const chosen = isLanguage(language) ? language : 'typescript';
  return (
    <section class="setup-section programs" aria-label="Programs">
      <h3>Programs</h3>
      <Tabs
        label="Programs"
        tabs={languages}
        chosen={chosen}
        onChoose={(next) => setQuery({ language: next }, { replace: true })}
      >
        {snippetsOf(bot, location.origin, self)[chosen].map(({ label, text, full }) => (
          <div key={label}>
            <CodeBlock label={label} text={text} copies={full} />
            {text !== full && (
              <small class="muted">The hidden keys are filled in when you copy.</small>
            )}
          </div>
        ))}
      </Tabs>
    </section>
  );
}
