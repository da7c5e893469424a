import { Time } from '../../controls/time.tsx';
import { FilterField } from '../../list/filter-field.tsx';
import { matchesFilter } from '../../list/shown-filter.ts';
import { useResource } from '../../loading/use-resource.ts';
import { href } from '../../navigation/location.ts';
import { ListPage } from '../frame/list-page.tsx';
import type { PageProps } from '../page.ts';

/** How often the list is fetched, in milliseconds: no event reports a mail. */
const LOOK_MS = 2000;

/** The outbox of a sandbox. */
export function MailsPage(props: PageProps) {
  const { account } = props;
  const found = useResource(() => account.client.mails.list(), [], { account, everyMs: LOOK_MS });
  const outbox = found.value;
  const hasMails = outbox !== undefined && outbox.mails.length > 0;
  return (
    <ListPage
      {...props}
      link={
        outbox &&
        !hasMails && (
          <a class="button primary" href={href(['organization', 'invitations'])}>
            Invite people
          </a>
        )
      }
      tools={
        hasMails && (
          <FilterField
            label="Filter by recipient or subject"
            placeholder="Filter by recipient or subject"
          />
        )
      }
      error={found.error}
      onRetry={found.refresh}
      rows={outbox?.mails.filter(({ to, subject }) => matchesFilter(to, subject))}
      keyOf={({ id }) => id}
      columns={[
        { title: 'Subject', cell: ({ subject }) => subject },
        { title: 'To', cell: ({ to }) => to },
        {
          title: 'Time',
          isWide: true,
          cell: ({ sent_at }) => <Time seconds={sent_at} />,
        },
      ]}
    />
  );
}
