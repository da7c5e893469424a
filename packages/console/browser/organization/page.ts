import type { InitialState } from '@bellhop/protocol';
import type { ComponentType } from 'preact';

import type { IconName } from '../../src/icon-names.ts';
import type { LiveAccount } from '../live/live-account.ts';
import type { Rights } from './rights.ts';

export interface PageProps {
  readonly page: OrganizationPage;
  readonly account: LiveAccount;
  readonly state: InitialState;
  readonly rights: Rights;
  /** The last name of the path: the row that is open. */
  readonly item: string | undefined;
}
export type InspectorProps = PageProps & { readonly item: string };

/** The texts of a page. */
export interface PageWords {
  readonly title: string;
  /** One sentence about the purpose of the page. */
  readonly text: string;
  /** The text of a list without rows, and how rows are added. */
  readonly none?: string;
  readonly noneText?: string;
  /** The text of the panel if its row does not exist. */
  readonly missing?: string;
}

export interface OrganizationPage {
  /** The second name of its path: `/console/organization/users`. */
  readonly id: string;
  readonly words: PageWords;
  readonly icon: IconName;
  /** Whether a user with these rights finds something on the page. Default: everybody does. */
  readonly isFor?: (rights: Rights) => boolean;
  /** Only a sandbox has the page. */
  readonly isOfSandbox?: true;
  readonly view: ComponentType<PageProps>;
  /** Shows the open row. */
  readonly inspector?: ComponentType<InspectorProps>;
}
