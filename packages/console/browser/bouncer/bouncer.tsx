import { type ClientOf, createClientFor } from '@bellhop/client';
import {
  roles,
  sandbox,
  SANDBOX_PREFIX,
  type SandboxContract,
  type SandboxPhone,
} from '@bellhop/protocol';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';

import { Button } from '../controls/button.tsx';
import { Empty } from '../controls/empty.tsx';
import { ErrorNotice } from '../controls/error-notice.tsx';
import { now } from '../controls/now.ts';
import { useAction } from '../controls/use-action.ts';
import { FaultBoard } from '../faults/faults-dialog.tsx';
import type { PartProps } from '../parts/part.ts';
import { consoleFetch } from '../session/console-fetch.ts';
import { sandboxOperator } from './operator-client.ts';
import { OperatorView } from './operator-view.tsx';
import { strings } from './strings.ts';

const OPENED = 'bellhop-operator';
const FAULTS_MS = 3000;

/** The bouncer of the sandbox; elsewhere its operator signs in at the address of the bouncer. */
export function Bouncer({ account }: PartProps) {
  const isSandbox = useSignal<boolean | undefined>(undefined);
  const error = useSignal<unknown>(undefined);
  const isOpen = useSignal(sessionStorage.getItem(OPENED) !== null);
  const client = useMemo(() => sandboxOperator(account.user_id), [account]);
  const providers = useMemo(
    () =>
      createClientFor(sandbox, {
        url: location.origin,
        prefix: SANDBOX_PREFIX,
        fetch: consoleFetch(account.user_id),
      }),
    [account],
  );
  useEffect(() => {
    providers.about.get().then(
      ({ is_sandbox }) => (isSandbox.value = is_sandbox),
      (problem: unknown) => (error.value = problem),
    );
  }, [providers]);
  if (error.value !== undefined) return <ErrorNotice error={error.value} />;
  if (isSandbox.value === undefined) return null;
  if (!isSandbox.value)
    return (
      <Empty icon="radio" title={strings.elsewhere} command={strings.elsewhereCommand}>
        <p>{strings.elsewhereText}</p>
      </Empty>
    );
  const me = account.state.value?.realm_users?.find(({ user_id }) => user_id === account.user_id);
  if (me && me.role > roles.admin)
    return (
      <Empty icon="lock" title={strings.signInTitle}>
        <p>{strings.notAllowed}</p>
      </Empty>
    );
  if (!isOpen.value)
    return (
      <Empty icon="radio" title={strings.signInTitle}>
        <p>{strings.openText}</p>
        <Button
          kind="primary"
          onClick={() => {
            sessionStorage.setItem(OPENED, 'yes');
            isOpen.value = true;
          }}
        >
          {strings.open}
        </Button>
      </Empty>
    );
  return <OperatorView client={client} faults={<Switchboard providers={providers} />} />;
}

/** The faults of the providers; one may be for a single phone of the user. */
function Switchboard({ providers }: { providers: ClientOf<SandboxContract> }) {
  const phones = useSignal<readonly SandboxPhone[] | undefined>(undefined);
  const { error, run } = useAction();
  useEffect(() => run(providers.phones.list(), (answer) => (phones.value = answer.phones)), []);
  return (
    <>
      <ErrorNotice error={error.value} />
      {phones.value && (
        <FaultBoard
          faults={providers.faults}
          phones={phones.value}
          version={Math.floor(now.value / FAULTS_MS)}
        />
      )}
    </>
  );
}
