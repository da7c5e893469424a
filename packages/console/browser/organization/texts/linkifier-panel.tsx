import type { Linkifier } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';

import { ConfirmButton } from '../../controls/dialog-button.tsx';
import { TextField } from '../../controls/field.tsx';
import { Form } from '../../controls/form.tsx';
import { Panel } from '../frame/panel.tsx';
import { goTo } from '../go-to.ts';
import type { InspectorProps } from '../page.ts';
import { LinkifierTest } from './linkifier-test.tsx';
import { NEW } from './new-item.ts';
import { strings } from './strings.ts';

/** A linkifier, or a new one, with a test of its effect on a text. */
export function LinkifierPanel(props: InspectorProps) {
  const { state, item } = props;
  const found = state.realm_linkifiers?.find(({ id }) => String(id) === item);
  return (
    <Panel {...props} title={found?.pattern ?? (item === NEW ? strings.newLinkifier : undefined)}>
      <LinkifierForm {...props} linkifier={found} />
    </Panel>
  );
}

type LinkifierFormProps = InspectorProps & { readonly linkifier: Linkifier | undefined };

function LinkifierForm({ account, rights, linkifier }: LinkifierFormProps) {
  const { linkifiers } = account.client;
  const pattern = useSignal(linkifier?.pattern ?? '');
  const url_template = useSignal(linkifier?.url_template ?? '');
  const rule = { pattern: pattern.value, url_template: url_template.value };
  const save = async () => {
    if (linkifier) await linkifiers.update({ filter_id: linkifier.id, ...rule });
    else goTo('linkifiers', (await linkifiers.add(rule)).id);
  };
  const input = {
    isCode: true,
    required: true,
    spellcheck: false,
    readOnly: !rights.isAdmin,
  } as const;
  return (
    <Form
      action={rights.isAdmin ? (linkifier ? strings.save : strings.add) : undefined}
      send={save}
      buttons={
        linkifier && (
          <ConfirmButton
            kind="danger"
            label={strings.remove}
            title={strings.removeLinkifierTitle}
            run={() =>
              linkifiers.remove({ filter_id: linkifier.id }).then(() => goTo('linkifiers'))
            }
          >
            {strings.removeLinkifierText}
          </ConfirmButton>
        )
      }
    >
      <TextField
        {...input}
        label={strings.pattern}
        hint={strings.patternHint}
        maxLength={500}
        value={pattern.value}
        onInput={({ currentTarget }) => (pattern.value = currentTarget.value)}
      />
      <TextField
        {...input}
        label={strings.template}
        hint={strings.templateHint}
        maxLength={2000}
        value={url_template.value}
        onInput={({ currentTarget }) => (url_template.value = currentTarget.value)}
      />
      {rights.isAdmin && <LinkifierTest account={account} linkifier={linkifier} rule={rule} />}
    </Form>
  );
}
