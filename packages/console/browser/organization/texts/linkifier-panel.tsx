import type { Linkifier } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';

import { Button } from '../../controls/button.tsx';
import { ConfirmDialog } from '../../controls/confirm-dialog.tsx';
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
    <Panel title={found?.pattern ?? strings.newLinkifier} page="linkifiers" item={item}>
      {found || item === NEW ? (
        <LinkifierForm {...props} linkifier={found} />
      ) : (
        <p class="muted">{strings.noSuchLinkifier}</p>
      )}
    </Panel>
  );
}

type LinkifierFormProps = InspectorProps & { readonly linkifier: Linkifier | undefined };

function LinkifierForm({ account, rights, linkifier }: LinkifierFormProps) {
  const { linkifiers } = account.client;
  const pattern = useSignal(linkifier?.pattern ?? '');
  const url_template = useSignal(linkifier?.url_template ?? '');
  const isRemoving = useSignal(false);
  const rule = { pattern: pattern.value, url_template: url_template.value };
  const save = async () => {
    if (linkifier) await linkifiers.update({ filter_id: linkifier.id, ...rule });
    else goTo('linkifiers', (await linkifiers.add(rule)).id);
  };
  return (
    <Form
      action={rights.isAdmin ? (linkifier ? strings.save : strings.add) : undefined}
      send={save}
      buttons={
        linkifier && (
          <Button kind="danger" onClick={() => (isRemoving.value = true)}>
            {strings.remove}
          </Button>
        )
      }
    >
      <label class="field">
        {strings.pattern}
        <input
          class="input mono"
          required
          maxLength={500}
          spellcheck={false}
          readOnly={!rights.isAdmin}
          value={pattern.value}
          onInput={({ currentTarget }) => (pattern.value = currentTarget.value)}
        />
        <small>{strings.patternHint}</small>
      </label>
      <label class="field">
        {strings.template}
        <input
          class="input mono"
          required
          maxLength={2000}
          spellcheck={false}
          readOnly={!rights.isAdmin}
          value={url_template.value}
          onInput={({ currentTarget }) => (url_template.value = currentTarget.value)}
        />
        <small>{strings.templateHint}</small>
      </label>
      {rights.isAdmin && <LinkifierTest account={account} linkifier={linkifier} rule={rule} />}
      {linkifier && isRemoving.value && (
        <ConfirmDialog
          title={strings.removeLinkifierTitle}
          action={strings.remove}
          run={() => linkifiers.remove({ filter_id: linkifier.id }).then(() => goTo('linkifiers'))}
          onClose={() => (isRemoving.value = false)}
        >
          {strings.removeLinkifierText}
        </ConfirmDialog>
      )}
    </Form>
  );
}
