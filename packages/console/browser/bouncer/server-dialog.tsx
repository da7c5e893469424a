import type { OperatedQuota, OperatedRealm } from '@bellhop/protocol';

import { ConfirmButton } from '../controls/dialog-button.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { ErrorNotice } from '../controls/error-notice.tsx';
import { TextField } from '../controls/field.tsx';
import { Form } from '../controls/form.tsx';
import { toast } from '../controls/toasts.tsx';
import { useResource } from '../loading/use-resource.ts';
import { textOf } from '../text/text-of.ts';
import { DataTable } from './data-table.tsx';
import type { OperatorClient } from './operator-client.ts';

interface ServerDialogProps {
  readonly client: OperatorClient;
  readonly server: string;
  readonly hostname: string;
  readonly onClose: () => void;
}

/** The realms of a chat server, which can be deleted, and its quotas, which can be set. */
export function ServerDialog({ client, server, hostname, onClose }: ServerDialogProps) {
  const { value, error, refresh } = useResource(
    () => client.servers.show({ server }),
    [client, server],
  );
  return (
    <Dialog title={hostname} onClose={onClose}>
      <ErrorNotice error={error} onRetry={refresh} />
      <h3>Realms</h3>
      <DataTable
        label="Realms"
        rows={value?.realms}
        keyOf={({ realm_uuid }) => realm_uuid}
        empty="The server has not announced any realms."
        columns={[
          { title: 'Name', cell: ({ name }) => name },
          { title: 'URL', cell: ({ url }) => url },
          { title: 'Devices', cell: ({ devices }) => devices, isNumber: true },
          {
            title: 'Actions',
            cell: ({ realm_uuid, name }: OperatedRealm) => (
              <ConfirmButton
                label="Delete"
                title={`Delete ${name}?`}
                run={() => client.servers.deleteRealm({ server, realm_uuid }).then(refresh)}
              >
                Its devices and everything stored about it are deleted. An active server announces
                the realm again, without its devices.
              </ConfirmButton>
            ),
          },
        ]}
      />
      {value && (
        <Form
          action="Save quotas"
          send={async (fields) => {
            const quotas = changedQuotas(value.quotas, fields);
            if (Object.keys(quotas).length === 0) return 'No quota was changed.';
            await client.servers.setQuotas({ server, quotas });
            return 'Quotas saved.';
          }}
          onSent={(message) => {
            toast(message);
            onClose();
          }}
        >
          <h3>Quotas</h3>
          <p>Each is a number, default, or unlimited.</p>
          {value.quotas.map((quota) => (
            <TextField
              key={quota.quota}
              label={quota.quota.replaceAll('_', ' ')}
              hint={quotaHint(quota)}
              name={quota.quota}
              defaultValue={String(quota.value)}
              pattern="\d{1,15}|default|unlimited"
              title="A number, default, or unlimited"
              required
              autocomplete="off"
            />
          ))}
        </Form>
      )}
    </Dialog>
  );
}

/** What `default` stands for, and what was used. */
function quotaHint({ value, limit, used }: OperatedQuota): string | undefined {
  const hints = [
    ...(value === 'default' ? [`default: ${limit?.toLocaleString('en') ?? 'unlimited'}`] : []),
    ...(used === null ? [] : [`${used.toLocaleString('en')} used in the current window`]),
  ];
  return hints.length === 0 ? undefined : hints.join(', ');
}

/** The quotas that a form changes: numbers, `default` or `unlimited`. */
function changedQuotas(quotas: readonly OperatedQuota[], fields: FormData) {
  const changed: Record<string, number | 'default' | 'unlimited'> = {};
  for (const { quota, value } of quotas) {
    const typed = textOf(fields.get(quota)).trim();
    if (typed === String(value)) continue;
    changed[quota] = typed === 'default' || typed === 'unlimited' ? typed : Number(typed);
  }
  return changed;
}
