import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { LiveRegion } from '../controls/announce.tsx';
import { current } from '../live/accounts.ts';
import { useKeys } from '../navigation/keys.ts';
import { go, href, path } from '../navigation/location.ts';
import { parts } from '../parts/parts.ts';
import { obeyAppearance, obeyColorScheme, toggleOwnTheme } from './appearance.ts';
import { countWaiting } from './count-waiting.ts';
import { KeysDialog } from './keys-dialog.tsx';
import { Lazy } from './lazy.tsx';
import { shownPart, shownRealm, waiting } from './page-title.ts';
import { PartView } from './part-view.tsx';
import { Rail } from './rail.tsx';

import './shell.css';
import { TopBar } from './top-bar.tsx';

const loadPalette = async () => (await import('./palette.tsx')).PaletteDialog;

/** The part of a path; without a name the first one. */
const partOf = ([id = parts[0]?.id]: readonly string[]) => parts.find((one) => one.id === id);

/** The frame around every part: rail, top bar, palette, keys. */
export function Shell() {
  const open = useSignal<'palette' | 'keys' | undefined>(undefined);
  // The browser reports a closed dialog later: by then a key may have opened the other one.
  const close = (which: 'palette' | 'keys') => () => {
    if (open.value === which) open.value = undefined;
  };
  useKeys('General', [
    { keys: '$mod+k', label: 'Command palette', run: () => (open.value = 'palette') },
    { keys: 'Shift+?', label: 'Show keyboard shortcuts', run: () => (open.value = 'keys') },
    { keys: 'Shift+D', label: 'Toggle dark theme', run: toggleOwnTheme },
    ...parts.map(({ id, key, title }) => ({
      keys: `g ${key}`,
      label: `Go to ${title}`,
      run: () => go(href([id])),
    })),
  ]);
  useSignalEffect(obeyColorScheme);
  useSignalEffect(obeyAppearance);
  useSignalEffect(() => {
    const state = current.value?.state.value;
    waiting.value = state ? countWaiting(state) : 0;
    shownRealm.value = state?.realm_name;
    shownPart.value = partOf(path.value)?.title;
  });
  useEffect(
    () => () => {
      waiting.value = 0;
      shownRealm.value = undefined;
      shownPart.value = undefined;
    },
    [],
  );
  const part = partOf(path.value);
  const account = current.value;
  return (
    <div class="shell">
      <a class="skip visually-hidden" href="#content">
        Skip to content
      </a>
      <Rail part={part} />
      <TopBar
        onPalette={() => (open.value = 'palette')}
        onKeys={() => (open.value = 'keys')}
        title={part?.title ?? ''}
      />
      <main id="content" tabindex={-1}>
        <PartView key={account?.user_id} part={part} account={account} />
      </main>
      {open.value === 'palette' && (
        <Lazy
          load={loadPalette}
          props={{ onClose: close('palette'), onKeys: () => (open.value = 'keys') }}
        />
      )}
      {open.value === 'keys' && <KeysDialog onClose={close('keys')} />}
      <LiveRegion />
    </div>
  );
}
