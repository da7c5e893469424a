import { useSignal } from '@preact/signals';

import { LiveRegion } from '../controls/announce.tsx';
import { Button } from '../controls/button.tsx';
import { Mark } from '../controls/mark.tsx';
import { Toasts } from '../controls/toasts.tsx';
import { useKeys } from '../navigation/keys.ts';
import { KeysDialog } from '../shell/keys-dialog.tsx';
import { toggleTheme } from '../shell/theme.ts';
import { operatorKey, ownOperator, signOutOperator } from './operator-client.ts';
import { OperatorView } from './operator-view.tsx';
import { SignInOperator } from './sign-in-operator.tsx';

import './standalone.css';

/** The console that a bouncer serves itself: only the pages of its operator. */
export function Standalone() {
  const showsKeys = useSignal(false);
  useKeys('General', [
    { keys: 'Shift+?', label: 'Show keyboard shortcuts', run: () => (showsKeys.value = true) },
    { keys: 'Shift+D', label: 'Toggle dark theme', run: toggleTheme },
  ]);
  if (operatorKey.value === null) return <SignInOperator />;
  return (
    <div class="standalone">
      <header class="row">
        <Mark size={28} />
        <h1 class="grow">Push bouncer</h1>
        <Button icon="log-out" onClick={signOutOperator}>
          Sign out
        </Button>
      </header>
      <main>
        <OperatorView client={ownOperator} />
      </main>
      {showsKeys.value && <KeysDialog onClose={() => (showsKeys.value = false)} />}
      <Toasts />
      <LiveRegion />
    </div>
  );
}
