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

/** What a page says of itself. */
export interface PageWords {
  readonly title: string;
  /** One sentence on what the page is for. */
  readonly text: string;
  /** What a list says that has no rows, and how it gets some. */
  readonly none?: string;
  readonly noneText?: string;
  /** What the panel says if its row is not there. */
  readonly missing?: string;
}

export interface OrganizationPage {
  /** The second name of its path: `/console/organization/users`. */
  readonly id: string;
  readonly words: PageWords;
  readonly icon: IconName;
  /** Whether a user with these rights finds something on the page. Default: everybody does. */
  readonly isFor?: (rights: Rights) => boolean;
  readonly view: ComponentType<PageProps>;
  /** Shows the open row. */
  readonly inspector?: ComponentType<InspectorProps>;
}
