import { useEffect } from 'preact/hooks';

import { ErrorNotice } from '../../controls/error-notice.tsx';
import { Time } from '../../controls/time.tsx';
import { href } from '../../navigation/location.ts';
import { FilterField, matchesFilter } from '../frame/filter-field.tsx';
import { PageFrame } from '../frame/page-frame.tsx';
import { Table } from '../frame/table.tsx';
import { useFetched } from '../frame/use-fetched.ts';
import type { PageProps } from '../page.ts';
import { strings } from '../strings.ts';

/** How often the list is fetched, in milliseconds: no event reports a mail. */
const LOOK_MS = 2000;

/** The outbox of a sandbox. */
export function MailsPage({ account, item }: PageProps) {
  const found = useFetched(account, () => account.client.mails.list());
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) found.again();
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, []);
  const outbox = found.value;
  const mails = outbox?.mails.filter(({ to, subject }) => matchesFilter(to, subject)) ?? [];
  return (
    <PageFrame
      title={strings.mails}
      text={strings.mailsText}
      actions={
        outbox?.is_kept &&
        outbox.mails.length === 0 && (
          <a class="button primary" href={href(['organization', 'invitations'])}>
            {strings.invite}
          </a>
        )
      }
      empty={outbox !== undefined && mails.length === 0 && emptyOf(outbox.is_kept)}
    >
      <ErrorNotice error={found.error} onRetry={found.again} />
      {outbox && outbox.mails.length > 0 && (
        <>
          <div class="row org-tools">
            <FilterField label={strings.filterMails} />
          </div>
          {mails.length > 0 && (
            <Table
              label={strings.mails}
              page="mails"
              open={item}
              rows={mails}
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
          )}
        </>
      )}
    </PageFrame>
  );
}

const emptyOf = (isKept: boolean) =>
  isKept
    ? ({ icon: 'mail', title: strings.noMails, text: strings.noMailsText } as const)
    : ({ icon: 'mail', title: strings.mailsLeave, text: strings.mailsLeaveText } as const);
