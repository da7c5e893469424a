import { Icon } from '../controls/icon.tsx';
import { href, path } from '../navigation/location.ts';
import type { PartProps } from '../parts/part.ts';
import { Boundary } from '../shell/boundary.tsx';
import { Workspace } from '../shell/workspace.tsx';

import './organization.css';
import type { OrganizationPage, PageProps } from './page.ts';
import { rightsOf } from './rights.ts';
import { shownGroups } from './shown-pages.ts';

/** Users, groups, channels and settings of the organization: a page for each, at the left their list. */
export function Organization({ account }: PartProps) {
  const [, id, item] = path.value;
  const state = account.state.value;
  const rights = state && rightsOf(state, account.user_id);
  const groups = shownGroups(account);
  const pages = groups.flatMap((group) => group.pages);
  const page = pages.find((one) => one.id === id) ?? pages[0];
  if (!state || !rights || !page) return null;
  const props: PageProps = { page, account, state, rights, item };
  const { view: View, inspector: Inspector } = page;
  const isInspecting = Inspector !== undefined && item !== undefined;
  return (
    <Workspace
      listLabel="Organization pages"
      list={<PageList groups={groups} shown={id ?? pages[0]?.id} />}
      narrow={narrowPane(id, isInspecting)}
      main={
        <Boundary key={page.id}>
          <View {...props} />
        </Boundary>
      }
      inspector={
        isInspecting && (
          <Boundary key={`${page.id} ${item}`}>
            <Inspector {...props} item={item} />
          </Boundary>
        )
      }
    />
  );
}

const narrowPane = (page: string | undefined, isInspecting: boolean) => {
  if (page === undefined) return 'list';
  return isInspecting ? 'inspector' : 'main';
};

interface PageListProps {
  readonly groups: readonly {
    readonly title: string;
    readonly pages: readonly OrganizationPage[];
  }[];
  readonly shown: string | undefined;
}

const PageList = ({ groups, shown }: PageListProps) => (
  <div class="nav-list">
    {groups.map(({ title, pages }) => (
      <>
        <h2>{title}</h2>
        <ul role="list">
          {pages.map(({ id, words, icon }) => (
            <li key={id}>
              <a
                class="nav-entry"
                href={href(['organization', id])}
                aria-current={id === shown ? 'page' : undefined}
              >
                <Icon name={icon} />
                <span class="grow clip">{words.title}</span>
              </a>
            </li>
          ))}
        </ul>
      </>
    ))}
  </div>
);
