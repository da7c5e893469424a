import { type ChannelId, type Role, roles, type UserGroupId } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';

import { CopyButton } from '../../controls/copy-button.tsx';
import { Dialog } from '../../controls/dialog.tsx';
import { Field, SelectField } from '../../controls/field.tsx';
import { FormDialog } from '../../controls/form-dialog.tsx';
import { toast } from '../../controls/toasts.tsx';
import { textOf } from '../../text/text-of.ts';
import { CheckField, CheckList, idsOf } from '../frame/check-list.tsx';
import type { PageProps } from '../page.ts';
import { rolesGivenBy } from '../rights.ts';
import { roleNames, strings } from '../strings.ts';

interface InviteDialogProps extends PageProps {
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
    const invitee_emails = textOf(fields.get('addresses'));
    const notify_referrer_on_join = fields.get('tell') !== null;
    await invites.send({ ...grants, invitee_emails, notify_referrer_on_join });
    toast(strings.sent(invitee_emails.split(/[,\n]/).length));
    return undefined;
  };
  if (link.value !== '')
    return (
      <Dialog title={strings.newLink} onClose={onClose}>
        <p>{strings.newLinkText}</p>
        <div class="command">
          <code class="grow">{link.value}</code>
          <CopyButton text={link.value} label={strings.copyLink} />
        </div>
      </Dialog>
    );
  return (
    <FormDialog
      title={strings.invite}
      action={isLink.value ? strings.createLink : strings.send}
      send={invite}
      onSent={(made) => (made === undefined ? onClose() : (link.value = made))}
      onClose={onClose}
    >
      {mayInvite && mayLink && (
        <SelectField
          label={strings.inviteBy}
          value={isLink.value ? 'link' : 'mail'}
          onChoose={(way) => (isLink.value = way === 'link')}
          options={[
            { value: 'mail', label: strings.byMail },
            { value: 'link', label: strings.byLink },
          ]}
        />
      )}
      {isLink.value || (
        <Field label={strings.addresses} hint={strings.addressesHint}>
          <textarea class="input" name="addresses" rows={2} required />
        </Field>
      )}
      <Promises {...props} />
      {isLink.value || <CheckField label={strings.tellMe} name="tell" defaultChecked />}
    </FormDialog>
  );
}

/** The role, channels and groups that the invited people get. */
function Promises({ state, rights }: PageProps) {
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
          label={strings.invitedAs}
          name="role"
          defaultValue={roles.member}
          options={rolesGivenBy(rights).map((value) => ({ value, label: roleNames[value] }))}
        />
        <SelectField
          label={strings.expiresIn}
          name="expires"
          defaultValue={14_400}
          options={strings.expiries.map(({ minutes, label }) => ({ value: minutes, label }))}
        />
      </div>
      <CheckList legend={strings.theirChannels} name="channel" options={channels} />
      <CheckField label={strings.withDefaults} name="defaults" defaultChecked />
      {groups.length > 0 && (
        <CheckList legend={strings.theirGroups} name="group" options={groups} />
      )}
      {rights.isAdmin && (
        <Field label={strings.welcome} hint={strings.welcomeHint}>
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
