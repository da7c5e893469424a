import { useEffect } from 'preact/hooks';

import { Time } from '../../controls/time.tsx';
import { href } from '../../navigation/location.ts';
import { FilterField, matchesFilter } from '../frame/filter-field.tsx';
import { ListPage } from '../frame/list-page.tsx';
import { useFetched } from '../frame/use-fetched.ts';
import type { PageProps } from '../page.ts';
import { strings } from '../strings.ts';

/** How often the list is fetched, in milliseconds: no event reports a mail. */
const LOOK_MS = 2000;

/** The outbox of a sandbox. */
export function MailsPage(props: PageProps) {
  const { page, account } = props;
  const found = useFetched(account, () => account.client.mails.list());
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) found.again();
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, []);
  const outbox = found.value;
  const hasMails = outbox !== undefined && outbox.mails.length > 0;
  const words = outbox?.is_kept === false ? { ...page.words, ...strings.mailsLeave } : page.words;
  return (
    <ListPage
      {...props}
      page={{ ...page, words }}
      link={
        outbox?.is_kept &&
        !hasMails && (
          <a class="button primary" href={href(['organization', 'invitations'])}>
            {strings.invite}
          </a>
        )
      }
      tools={hasMails && <FilterField label={strings.filterMails} />}
      error={found.error}
      onRetry={found.again}
      rows={outbox?.mails.filter(({ to, subject }) => matchesFilter(to, subject))}
      idOf={({ id }) => id}
      columns={[
        { title: strings.subject, cell: ({ subject }) => subject },
        { title: strings.to, cell: ({ to }) => to },
        {
          title: strings.time,
          isWide: true,
          cell: ({ sent_at }) => <Time seconds={sent_at} />,
        },
      ]}
    />
  );
}
