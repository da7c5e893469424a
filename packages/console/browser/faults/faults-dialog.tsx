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
import { FaultForm, type FaultPhone } from './fault-form.tsx';
import { strings } from './strings.ts';

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
    <Dialog title={strings.title} onClose={onClose} class="wide">
      <p class="muted">{strings.lead}</p>
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
        <p class="muted">{strings.none}</p>
      ) : (
        <ul role="list" aria-label={strings.on}>
          {on.map((one) => (
            <li key={one.fault_id} class="row fault">
              <Pill tone="bad" icon="zap">
                {one.fault}
              </Pill>
              <span class="grow clip">
                {strings.providers[one.provider]}
                {one.phone === null ? '' : `, ${one.phone}`}
              </span>
              <span class="muted time">
                {strings.left(one.left)}
                {one.probability < 1 ? `, ${strings.share(one.probability)}` : ''}
              </span>
              <IconButton
                icon="x"
                label={strings.switchOff(one.fault)}
                onClick={() => change(faults.clear({ fault_id: one.fault_id }))}
              />
            </li>
          ))}
        </ul>
      )}
      {on.length > 1 && (
        <Button icon="x" onClick={() => change(faults.clearAll())}>
          {strings.allOff}
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
