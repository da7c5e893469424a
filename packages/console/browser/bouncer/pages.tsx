import type { ComponentType } from 'preact';

import type { IconName } from '../../src/icon-names.ts';
import { AccessPage } from './access-page.tsx';
import { AppsPage } from './apps-page.tsx';
import { DevicesPage } from './devices-page.tsx';
import { KeysPage } from './keys-page.tsx';
import { LogPage } from './log-page.tsx';
import { auditLog, feedbackLog, pushLog } from './logs.tsx';
import { Overview } from './overview.tsx';
import type { PageProps } from './page-props.ts';
import { QueuePage } from './queue-page.tsx';
import { ServersPage } from './servers-page.tsx';

export const pageNames = {
  overview: 'Overview',
  servers: 'Chat servers',
  devices: 'Devices',
  apps: 'Apps and credentials',
  keys: 'Key ring',
  queue: 'Queue',
  pushes: 'Notifications',
  feedback: 'Feedback log',
  access: 'Bans and invitations',
  audit: 'Audit log',
  faults: 'Faults',
};

export interface OperatorPage {
  readonly id: Exclude<keyof typeof pageNames, 'faults'>;
  readonly icon: IconName;
  readonly view: ComponentType<PageProps>;
}

const PushPage = (props: PageProps) => (
  <LogPage
    {...props}
    log={pushLog}
    command={props.isSandbox ? 'npx bellhop try push' : undefined}
  />
);
const FeedbackPage = (props: PageProps) => <LogPage {...props} log={feedbackLog} />;
const AuditPage = (props: PageProps) => <LogPage {...props} log={auditLog} />;

/** The pages of the operator. A page is a line here. */
export const pages: readonly OperatorPage[] = [
  { id: 'overview', icon: 'chart-no-axes-column', view: Overview },
  { id: 'servers', icon: 'building', view: ServersPage },
  { id: 'devices', icon: 'smartphone', view: DevicesPage },
  { id: 'apps', icon: 'settings', view: AppsPage },
  { id: 'keys', icon: 'lock', view: KeysPage },
  { id: 'queue', icon: 'clock', view: QueuePage },
  { id: 'pushes', icon: 'bell', view: PushPage },
  { id: 'feedback', icon: 'inbox', view: FeedbackPage },
  { id: 'access', icon: 'user-plus', view: AccessPage },
  { id: 'audit', icon: 'list-todo', view: AuditPage },
];
