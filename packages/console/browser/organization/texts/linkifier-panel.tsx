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

/** A linkifier, or a new one, with a test of its effect on a text. */
export function LinkifierPanel(props: InspectorProps) {
  const { state, item } = props;
  const found = state.realm_linkifiers?.find(({ id }) => String(id) === item);
  return (
    <Panel {...props} title={found?.pattern ?? (item === NEW ? 'New linkifier' : undefined)}>
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
      action={rights.isAdmin ? (linkifier ? 'Save' : 'Add') : undefined}
      send={save}
      buttons={
        linkifier && (
          <ConfirmButton
            kind="danger"
            label="Remove"
            title="Delete linkifier?"
            run={() =>
              linkifiers.remove({ filter_id: linkifier.id }).then(() => goTo('linkifiers'))
            }
          >
            New messages will not be linkified. Links in existing messages are kept.
          </ConfirmButton>
        )
      }
    >
      <TextField
        {...input}
        label="Pattern"
        hint="A regular expression in RE2 syntax. Its named groups can be used in the URL template."
        maxLength={500}
        value={pattern.value}
        onInput={({ currentTarget }) => (pattern.value = currentTarget.value)}
      />
      <TextField
        {...input}
        label="URL template"
        hint="Put the named groups in braces: https://issues.example.com/{id}"
        maxLength={2000}
        value={url_template.value}
        onInput={({ currentTarget }) => (url_template.value = currentTarget.value)}
      />
      {rights.isAdmin && <LinkifierTest account={account} linkifier={linkifier} rule={rule} />}
    </Form>
  );
}
