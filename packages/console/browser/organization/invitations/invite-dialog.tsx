import { type ChannelId, type Role, roles, type UserGroupId } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';

import { CopyButton } from '../../controls/copy-button.tsx';
import { Dialog } from '../../controls/dialog.tsx';
import { FormDialog } from '../../controls/form-dialog.tsx';
import { toast } from '../../controls/toasts.tsx';
import { textOf } from '../../text/text-of.ts';
import { CheckList, idsOf } from '../frame/check-list.tsx';
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
    const promised = promisesOf(fields, rights.isAdmin);
    if (isLink.peek()) {
      link.value = (await invites.createLink(promised)).invite_link;
      return;
    }
    const invitee_emails = textOf(fields.get('addresses'));
    const notify_referrer_on_join = fields.get('tell') !== null;
    await invites.send({ ...promised, invitee_emails, notify_referrer_on_join });
    toast(strings.sent(invitee_emails.split(/[,\n]/).length));
    onClose();
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
      title={strings.inviteTitle}
      action={isLink.value ? strings.createLink : strings.send}
      send={invite}
      onClose={onClose}
    >
      {mayInvite && mayLink && (
        <label class="field">
          {strings.inviteBy}
          <select
            class="input"
            value={isLink.value ? 'link' : 'mail'}
            onChange={({ currentTarget }) => (isLink.value = currentTarget.value === 'link')}
          >
            <option value="mail">{strings.byMail}</option>
            <option value="link">{strings.byLink}</option>
          </select>
        </label>
      )}
      {isLink.value || (
        <label class="field">
          {strings.addresses}
          <textarea class="input" name="addresses" rows={2} required />
          <small>{strings.addressesHint}</small>
        </label>
      )}
      <Promises {...props} />
      {isLink.value || (
        <label class="org-check">
          <input type="checkbox" name="tell" defaultChecked />
          {strings.tellMe}
        </label>
      )}
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
        <label class="field">
          {strings.invitedAs}
          <select class="input" name="role">
            {rolesGivenBy(rights).map((role) => (
              <option key={role} value={role} selected={role === roles.member}>
                {roleNames[role]}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          {strings.expiresIn}
          <select class="input" name="expires">
            {strings.expiries.map(({ minutes, label }) => (
              <option key={minutes} value={minutes} selected={minutes === 14_400}>
                {label}
              </option>
            ))}
          </select>
        </label>
      </div>
      <CheckList legend={strings.theirChannels} name="channel" options={channels} />
      <label class="org-check">
        <input type="checkbox" name="defaults" defaultChecked />
        {strings.withDefaults}
      </label>
      {groups.length > 0 && (
        <CheckList legend={strings.theirGroups} name="group" options={groups} />
      )}
      {rights.isAdmin && (
        <label class="field">
          {strings.welcome}
          <textarea class="input" name="welcome" rows={2} maxLength={8000} />
          <small>{strings.welcomeHint}</small>
        </label>
      )}
    </>
  );
}

function promisesOf(fields: FormData, isAdmin: boolean) {
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
