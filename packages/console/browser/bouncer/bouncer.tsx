import { roles } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';

import { Button } from '../controls/button.tsx';
import { Empty } from '../controls/empty.tsx';
import { ErrorNotice } from '../controls/error-notice.tsx';
import { FaultBoard } from '../faults/faults-dialog.tsx';
import { useResource } from '../loading/use-resource.ts';
import type { PartProps } from '../parts/part.ts';
import { type SandboxClient, sandboxClient } from '../session/sandbox-client.ts';
import { isSandbox, serverKind } from '../session/server-kind.ts';
import { sandboxOperator } from './operator-client.ts';
import { OperatorView } from './operator-view.tsx';

const OPENED = 'bellhop-operator';

/** The bouncer of the sandbox; elsewhere its operator signs in at the address of the bouncer. */
export function Bouncer({ account }: PartProps) {
  const isOpen = useSignal(sessionStorage.getItem(OPENED) !== null);
  const client = useMemo(() => sandboxOperator(account.user_id), [account]);
  const providers = useMemo(() => sandboxClient(account.user_id), [account]);
  if (serverKind.error.value !== undefined)
    return <ErrorNotice error={serverKind.error.value} onRetry={serverKind.refresh} />;
  if (isSandbox() === undefined) return null;
  if (!isSandbox())
    return (
      <Empty
        icon="radio"
        title="The bouncer has its own console"
        command="npx bellhop secrets operator"
      >
        <p>
          Operators sign in at /console/ on the bouncer's address. The bouncer needs an operator
          token, which this command creates:
        </p>
      </Empty>
    );
  const me = account.state.value?.realm_users?.find(({ user_id }) => user_id === account.user_id);
  if (me && me.role > roles.admin)
    return (
      <Empty icon="lock" title="Sign in as the operator">
        <p>
          Only administrators of this sandbox can operate its bouncer. Switch to another account at
          the top.
        </p>
      </Empty>
    );
  if (!isOpen.value)
    return (
      <Empty icon="radio" title="Sign in as the operator">
        <p>Administrators of this sandbox can sign in to its bouncer.</p>
        <Button
          kind="primary"
          onClick={() => {
            sessionStorage.setItem(OPENED, 'yes');
            isOpen.value = true;
          }}
        >
          Continue as operator
        </Button>
      </Empty>
    );
  return <OperatorView client={client} faults={<Switchboard providers={providers} />} />;
}

/** The faults of the providers; one may be for a single phone of the user. */
function Switchboard({ providers }: { providers: SandboxClient }) {
  const { value, error, refresh } = useResource(() => providers.phones.list(), [providers]);
  return (
    <>
      <ErrorNotice error={error} onRetry={refresh} />
      {value && <FaultBoard faults={providers.faults} phones={value.phones} />}
    </>
  );
}
