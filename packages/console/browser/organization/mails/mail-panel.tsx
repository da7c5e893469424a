import { useSignal } from '@preact/signals';

import { ErrorNotice } from '../../controls/error-notice.tsx';
import { Tabs } from '../../controls/tabs.tsx';
import { Time } from '../../controls/time.tsx';
import { useResource } from '../../loading/use-resource.ts';
import { Panel } from '../frame/panel.tsx';
import type { InspectorProps } from '../page.ts';
import { strings } from '../strings.ts';

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
          <dl class="org-facts">
            <dt>{strings.from}</dt>
            <dd>{mail.from_name}</dd>
            <dt>{strings.to}</dt>
            <dd>{mail.to}</dd>
            <dt>{strings.time}</dt>
            <dd>
              <Time seconds={mail.sent_at} />
            </dd>
          </dl>
          <Tabs
            label={strings.form}
            tabs={{ text: strings.asText, html: strings.asHtml }}
            chosen={form.value}
            onChoose={(chosen) => (form.value = chosen)}
          >
            {form.value === 'html' ? (
              <iframe
                class="org-mail-frame"
                title={strings.mailAsHtml}
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
