import { OPERATOR_PREFIX, SANDBOX_OPERATOR_PREFIX } from '@bellhop/protocol';

import { CopyAs } from '../controls/copy-as.tsx';
import { BodyView } from '../json/body-view.tsx';
import { curlOf } from '../json/curl.ts';
import { href } from '../navigation/location.ts';
import { Comparison, inOrder } from '../records/comparison.tsx';
import { InspectorFrame } from '../records/inspector-frame.tsx';
import { comparedKeys } from '../records/opened.ts';
import type { Log } from './log.tsx';

interface RecordInspectorProps<T> {
  readonly log: Log<T>;
  /** The record that is open, or the two that are compared. */
  readonly rows: readonly T[];
  readonly isSandbox: boolean;
}

const LOGIN = '$BELLHOP_EMAIL:$BELLHOP_API_KEY';
const OPERATOR_LOGIN = 'operator:$BELLHOP_BOUNCER_OPERATOR_TOKEN';

/** All fields of a record of the bouncer, or the differences between two records. */
export function RecordInspector<T>({ log, rows, isSandbox }: RecordInspectorProps<T>) {
  const [row] = rows;
  const parts = { ['Record']: (one: T) => JSON.stringify(one) };
  const nameOf = (one: T) => <span class="clip muted">{log.nameOf(one)}</span>;
  return (
    <InspectorFrame
      label="Record"
      title={row === undefined ? log.label : log.nameOf(row)}
      opened={log.opened}
    >
      {comparedKeys() ? (
        <Comparison rows={inOrder(rows, log.timeOf)} timeOf={log.timeOf} {...{ nameOf, parts }} />
      ) : (
        row !== undefined && (
          <>
            <div class="inspector-actions">
              <CopyAs
                label="Copy as curl"
                text={() =>
                  curlOf({
                    method: 'GET',
                    url: `${location.origin}${isSandbox ? SANDBOX_OPERATOR_PREFIX : OPERATOR_PREFIX}${log.pathOf(row)}`,
                    login: isSandbox ? LOGIN : OPERATOR_LOGIN,
                  })
                }
              />
              {log.pushOf && (
                <a
                  class="button"
                  href={href(['bouncer', 'pushes'], {
                    q: log.pushOf(row),
                    record: log.pushOf(row),
                  })}
                >
                  Show notification
                </a>
              )}
            </div>
            <div class="record-body">
              <BodyView title="Record" text={JSON.stringify(row)} />
            </div>
          </>
        )
      )}
    </InspectorFrame>
  );
}
