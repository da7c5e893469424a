import { useSignal } from '@preact/signals';

import { ErrorNotice } from '../../controls/error-notice.tsx';
import { Fact, Facts } from '../../controls/facts.tsx';
import { Tabs } from '../../controls/tabs.tsx';
import { Time } from '../../controls/time.tsx';
import { useResource } from '../../loading/use-resource.ts';
import { Panel } from '../frame/panel.tsx';
import type { InspectorProps } from '../page.ts';

/** A mail: its text with links that work, or as HTML in a frame where nothing runs. */
export function MailPanel(props: InspectorProps) {
  const { page, account, item } = props;
  const found = useResource(() => account.client.mails.get({ mail_id: item }), [], { account });
  const form = useSignal<'text' | 'html'>('text');
  const mail = found.value?.mail;
  return (
    <Panel {...props} title={mail?.subject ?? page.words.title}>
      <ErrorNotice error={found.error} onRetry={found.refresh} />
      {mail && (
        <>
          <Facts>
            <Fact name="From">{mail.from_name}</Fact>
            <Fact name="To">{mail.to}</Fact>
            <Fact name="Time">
              <Time seconds={mail.sent_at} />
            </Fact>
          </Facts>
          <Tabs
            label="Format"
            tabs={{ text: 'Text', html: 'HTML' }}
            chosen={form.value}
            onChoose={(chosen) => (form.value = chosen)}
          >
            {form.value === 'html' ? (
              <iframe
                class="org-mail-frame"
                title="Email as HTML, without scripts and links"
                src={mail.html_path}
                sandbox=""
                inert
              />
            ) : (
              <MailText text={mail.text} />
            )}
          </Tabs>
        </>
      )}
    </Panel>
  );
}

/** A text whose web addresses are links. */
const MailText = ({ text }: { text: string }) => (
  <p class="org-mail-text">
    {text.split(/(https?:\/\/\S+)/).map((piece, at) =>
      at % 2 === 1 ? (
        <a key={at} href={piece} target="_blank" rel="noopener noreferrer">
          {piece}
        </a>
      ) : (
        piece
      ),
    )}
  </p>
);
