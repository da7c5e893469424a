import { type ChannelId, type Role, roles, type UserGroupId } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';

import { CopyButton } from '../../controls/copy-button.tsx';
import { Dialog } from '../../controls/dialog.tsx';
import { Field, SelectField } from '../../controls/field.tsx';
import { FormDialog } from '../../controls/form-dialog.tsx';
import { toast } from '../../controls/toasts.tsx';
import { keepsMails } from '../../session/server-kind.ts';
import { textOf } from '../../text/text-of.ts';
import { CheckField, CheckList, idsOf } from '../frame/check-list.tsx';
import type { PageProps } from '../page.ts';
import { rolesGivenBy } from '../rights.ts';
import { roleNames } from '../role-names.ts';

const expiries = [
  { minutes: 1440, label: 'in 1 day' },
  { minutes: 14_400, label: 'in 10 days' },
  { minutes: 43_200, label: 'in 30 days' },
  { minutes: 0, label: 'never' },
];

type Invited = Pick<PageProps, 'account' | 'state' | 'rights'>;

interface InviteDialogProps extends Invited {
  readonly mayInvite: boolean;
  readonly mayLink: boolean;
  readonly onClose: () => void;
}

/** Invites people by e-mail, or makes a link for several. */
export function InviteDialog(props: InviteDialogProps) {
  const { account, rights, mayInvite, mayLink, onClose } = props;
  const { invites } = account.client;
  const isLink = useSignal(!mayInvite);
  const link = useSignal('');
  const invite = async (fields: FormData) => {
    const grants = grantsOf(fields, rights.isAdmin);
    if (isLink.peek()) return (await invites.createLink(grants)).invite_link;
    const invitee_emails = textOf(fields.get('invitee_emails'));
    const notify_referrer_on_join = fields.get('tell') !== null;
    await invites.send({ ...grants, invitee_emails, notify_referrer_on_join });
    const isOne = invitee_emails.split(/[,\n]/).length === 1;
    toast(
      `${isOne ? 'Invitation' : 'Invitations'} ${keepsMails() ? 'written into the outbox' : 'sent'}.`,
    );
    return undefined;
  };
  if (link.value !== '')
    return (
      <Dialog title="Invitation link created" onClose={onClose}>
        <p>Anyone with this link can join until it expires or is revoked.</p>
        <div class="command">
          <code class="grow">{link.value}</code>
          <CopyButton text={link.value} label="Copy link" />
        </div>
      </Dialog>
    );
  return (
    <FormDialog
      title="Invite people"
      action={isLink.value ? 'Create link' : 'Send'}
      send={invite}
      onSent={(made) => (made === undefined ? onClose() : (link.value = made))}
      onClose={onClose}
    >
      {keepsMails() && (
        <p class="notice info">
          This server sends no mails yet: it writes them into a folder, its outbox, and its operator
          hands the links in them on. With BELLHOP_SMTP_HOST it sends them.
        </p>
      )}
      {mayInvite && mayLink && (
        <SelectField
          label="Invite by"
          value={isLink.value ? 'link' : 'mail'}
          onChoose={(way) => (isLink.value = way === 'link')}
          options={[
            { value: 'mail', label: 'Email' },
            { value: 'link', label: 'Reusable link' },
          ]}
        />
      )}
      {isLink.value || (
        <Field
          label="Email addresses"
          name="invitee_emails"
          hint="One per line or separated by commas"
        >
          <textarea class="input" name="invitee_emails" rows={2} required />
        </Field>
      )}
      <Promises {...props} />
      {isLink.value || <CheckField label="Notify me when they join" name="tell" defaultChecked />}
    </FormDialog>
  );
}

/** The role, channels and groups that the invited people get. */
function Promises({ state, rights }: Invited) {
  const channels = (state.subscriptions ?? [])
    .filter(({ is_archived }) => !is_archived)
    .map(({ stream_id, name }) => ({ id: stream_id, label: `#${name}` }));
  const groups = (state.realm_user_groups ?? [])
    .filter(({ is_system_group, deactivated }) => !is_system_group && !deactivated)
    .map(({ id, name }) => ({ id, label: name }));
  return (
    <>
      <div class="org-columns">
        <SelectField
          label="Role"
          name="role"
          defaultValue={roles.member}
          options={rolesGivenBy(rights).map((value) => ({ value, label: roleNames[value] }))}
        />
        <SelectField
          label="Invitation expires"
          name="expires"
          defaultValue={14_400}
          options={expiries.map(({ minutes, label }) => ({ value: minutes, label }))}
        />
      </div>
      <CheckList legend="Channels" name="channel" options={channels} />
      <CheckField label="Include the default channels" name="defaults" defaultChecked />
      {groups.length > 0 && <CheckList legend="User groups" name="group" options={groups} />}
      {rights.isAdmin && (
        <Field
          label="Welcome message"
          hint="Replaces the organization's welcome message. Markdown is supported."
        >
          <textarea class="input" name="welcome" rows={2} maxLength={8000} />
        </Field>
      )}
    </>
  );
}

function grantsOf(fields: FormData, isAdmin: boolean) {
  const minutes = Number(fields.get('expires'));
  const welcome = textOf(fields.get('welcome')).trim();
  return {
    invite_as: Number(fields.get('role')) as Role,
    invite_expires_in_minutes: minutes === 0 ? null : minutes,
    stream_ids: idsOf(fields, 'channel') as ChannelId[],
    group_ids: idsOf(fields, 'group') as UserGroupId[],
    include_realm_default_subscriptions: fields.get('defaults') !== null,
    ...(isAdmin && welcome !== '' ? { welcome_message_custom_text: welcome } : {}),
  };
}
