import type { InitialState } from '@bellhop/protocol';
import type { ComponentType } from 'preact';

import type { IconName } from '../../src/icon-names.ts';
import type { LiveAccount } from '../live/live-account.ts';
import type { Rights } from './rights.ts';

export interface PageProps {
  readonly account: LiveAccount;
  readonly state: InitialState;
  readonly rights: Rights;
  /** The last name of the path: the row that is open. */
  readonly item: string | undefined;
}
export type InspectorProps = PageProps & { readonly item: string };

export interface OrganizationPage {
  /** The second name of its path: `/console/organization/users`. */
  readonly id: string;
  readonly title: string;
  readonly icon: IconName;
  /** Whether a user with these rights finds something on the page. */
  readonly isFor: (rights: Rights) => boolean;
  readonly view: ComponentType<PageProps>;
  /** Shows the open row. */
  readonly inspector?: ComponentType<InspectorProps>;
}
