import { LiveRegion } from '../controls/announce.tsx';
import { Button } from '../controls/button.tsx';
import { Mark } from '../controls/mark.tsx';
import { Toasts } from '../controls/toasts.tsx';
import { operatorKey, ownOperator, signOutOperator } from './operator-client.ts';
import { OperatorView } from './operator-view.tsx';
import { SignInOperator } from './sign-in-operator.tsx';

import './standalone.css';
import { strings } from './strings.ts';

/** The console that a bouncer serves itself: only the pages of its operator. */
export function Standalone() {
  if (operatorKey.value === null) return <SignInOperator />;
  return (
    <div class="standalone">
      <header class="row">
        <Mark size={28} />
        <h1 class="grow">{strings.name}</h1>
        <Button icon="log-out" onClick={signOutOperator}>
          {strings.signOut}
        </Button>
      </header>
      <main>
        <OperatorView client={ownOperator} />
      </main>
      <Toasts />
      <LiveRegion />
    </div>
  );
}
