import type { ClientOf } from '@bellhop/client';
import type { SandboxContract } from '@bellhop/protocol';
import { useRef } from 'preact/hooks';

import { Button, IconButton } from '../controls/button.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { ErrorNotice } from '../controls/error-notice.tsx';
import { Pill } from '../controls/pill.tsx';
import { useAction } from '../controls/use-action.ts';
import { useResource } from '../loading/use-resource.ts';

import './faults.css';
import { FaultForm, type FaultPhone, providerNames } from './fault-form.tsx';

interface FaultsDialogProps {
  readonly faults: ClientOf<SandboxContract>['faults'];
  /** Names of phones that a fault may be limited to; another list when faults may have changed. */
  readonly phones: readonly FaultPhone[];
  /** The phone that is chosen first. */
  readonly phone?: string | undefined;
  readonly onClose: () => void;
}

/** Pushes use faults up. */
const REFRESH_MS = 3000;

/** The switchboard: faults of the simulated providers, switched on and off. */
export function FaultsDialog({ onClose, ...props }: FaultsDialogProps) {
  return (
    <Dialog title="Provider faults" onClose={onClose} class="wide">
      <p class="muted">
        Faults make a simulated provider fail. They affect requests made after they are turned on.
      </p>
      <FaultBoard {...props} />
    </Dialog>
  );
}

export function FaultBoard({ faults, ...choice }: Omit<FaultsDialogProps, 'onClose'>) {
  const found = useResource(() => faults.list(), [choice.phones], { everyMs: REFRESH_MS });
  const { faults: on = [], kinds = [] } = found.value ?? {};
  const { error, isBusy, run } = useAction();
  const board = useRef<HTMLDivElement>(null);
  const change = (work: Promise<unknown>) =>
    run(work.then(found.refresh), () => board.current?.scrollIntoView({ block: 'start' }));
  return (
    <div ref={board} class="fault-board">
      <ErrorNotice error={error.value ?? found.error} />
      {on.length === 0 ? (
        <p class="muted">No faults are on. All providers are working.</p>
      ) : (
        <ul role="list" aria-label="Active faults">
          {on.map((one) => (
            <li key={one.fault_id} class="row fault">
              <Pill tone="bad" icon="zap">
                {one.fault}
              </Pill>
              <span class="grow clip">
                {providerNames[one.provider]}
                {one.phone === null ? '' : `, ${one.phone}`}
              </span>
              <span class="muted time">
                {one.left === null ? 'all requests' : `${one.left} left`}
                {one.probability < 1 ? `, ${`${Math.round(one.probability * 100)} %`}` : ''}
              </span>
              <IconButton
                icon="x"
                label={`Turn off ${one.fault}`}
                onClick={() => change(faults.clear({ fault_id: one.fault_id }))}
              />
            </li>
          ))}
        </ul>
      )}
      {on.length > 1 && (
        <Button icon="x" onClick={() => change(faults.clearAll())}>
          Turn all off
        </Button>
      )}
      {kinds.length > 0 && (
        <FaultForm
          {...choice}
          kinds={kinds}
          isBusy={isBusy.value}
          onAdd={(fault) => change(faults.add(fault))}
        />
      )}
    </div>
  );
}
