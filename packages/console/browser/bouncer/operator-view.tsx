import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

import { BackLink } from '../controls/back-link.tsx';
import { Empty } from '../controls/empty.tsx';
import { Icon } from '../controls/icon.tsx';
import { useKeys } from '../navigation/keys.ts';
import { go, href, path } from '../navigation/location.ts';
import { escapeKey } from '../records/opened.ts';
import { Boundary } from '../shell/boundary.tsx';
import { usePageName } from '../shell/page-title.ts';
import { usePaletteItems } from '../shell/palette-items.ts';
import { Workspace } from '../shell/workspace.tsx';
import { openedRecord } from './log.tsx';
import type { OperatorClient } from './operator-client.ts';

import './bouncer.css';
import { pages, pageNames } from './pages.tsx';

interface OperatorViewProps {
  readonly client: OperatorClient;
  /** The switchboard, where the providers are simulated. */
  readonly faults?: ComponentChildren;
}

/** The pages of a bouncer for its operator. */
export function OperatorView({ client, faults }: OperatorViewProps) {
  const id = path.value[1];
  const page = pages.find((one) => one.id === id);
  const isFaults = id === 'faults' && faults !== undefined;
  const name = isFaults ? 'faults' : page?.id;
  const View = page?.view;
  usePageName(name && pageNames[name]);
  const inspector = useSignal<ComponentChildren>(undefined);
  useKeys('Push bouncer', [
    escapeKey(openedRecord, 'Close, or go back to the pages', () => go(href(['bouncer']))),
  ]);
  usePaletteItems(
    () =>
      pages.map((one) => ({
        title: pageNames[one.id],
        kind: 'Push bouncer',
        icon: one.icon,
        run: () => go(href(['bouncer', one.id])),
      })),
    [],
  );
  return (
    <Workspace
      listLabel="Bouncer pages"
      narrow={inspector.value ? 'inspector' : name ? 'main' : 'list'}
      inspector={inspector.value}
      list={
        <div class="nav-list bouncer-list">
          <ul role="list">
            {pages.map((one) => (
              <Entry key={one.id} id={one.id} shown={name}>
                <Icon name={one.icon} />
              </Entry>
            ))}
            {faults !== undefined && (
              <Entry id="faults" shown={name}>
                <Icon name="zap" />
              </Entry>
            )}
          </ul>
        </div>
      }
      main={
        name ? (
          <div class="bouncer-page">
            <header class="page-head">
              <BackLink to={href(['bouncer'])} label="Back to pages" />
              <h2>{pageNames[name]}</h2>
            </header>
            <div class="bouncer-body">
              <Boundary key={name}>
                {isFaults
                  ? faults
                  : View && <View {...{ client, inspector }} isSandbox={faults !== undefined} />}
              </Boundary>
            </div>
          </div>
        ) : (
          <Empty icon="radio" title="Push bouncer">
            <p>
              Operators can see servers, keys, the queue and delivery results, but never message
              text or device tokens.
            </p>
            <a class="button primary" href={href(['bouncer', 'overview'])}>
              Overview
            </a>
          </Empty>
        )
      }
    />
  );
}

interface EntryProps {
  readonly id: keyof typeof pageNames;
  readonly shown: string | undefined;
  readonly children: ComponentChildren;
}

const Entry = ({ id, shown, children }: EntryProps) => (
  <li>
    <a
      class="nav-entry"
      href={href(['bouncer', id])}
      aria-current={id === shown ? 'page' : undefined}
    >
      {children}
      {pageNames[id]}
    </a>
  </li>
);
