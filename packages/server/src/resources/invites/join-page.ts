import { escapeHtml, type Exchange, type FormPage } from '@bellhop/http';
import { api, type DefaultChannelGroup, roles } from '@bellhop/protocol';

import type { Realm } from '../../engine/caller.ts';
import {
  described,
  emailInput,
  type Fields,
  formPage,
  mailLink,
  type PageApp,
  passwordInput,
  problemOf,
  textOf,
  visitor,
} from '../../form-page.ts';
import { noInvite, openInvite } from '../../model/invites/open-invite.ts';
import type { InviteRow } from '../../model/invites/queries.ts';
import { settingsOf } from '../../model/realms/realm-settings.ts';
import { offeredGroups } from '../default-channel-groups/offered-groups.ts';

export const JOIN_PATH = '/join/';
export const SIGN_UP_PATH = /^\/register\/?(?:\?|$)/;

interface Visit {
  readonly app: PageApp;
  readonly realm: Realm;
  readonly ip: string;
}
interface InvitedVisit extends Visit {
  readonly key: string;
}

/**
 * The page of an invitation: asks for name and password, or for the e-mail address if it is a reusable
 * link. Opening it changes nothing, so that programs which look at links in mails use none up.
 */
export const joinPage =
  (app: PageApp) =>
  async (exchange: Exchange, fields: Fields | undefined): Promise<FormPage> => {
    const { realm, key, lookUp } = await mailLink(app, exchange);
    const db = app.db.kysely;
    const open = await lookUp(() => openInvite(db, { app, realm }, key));
    if (!open)
      return { status: 404, title: 'No invitation', content: `<p>${noInvite().message}</p>` };
    const visit = { app, realm, ip: exchange.ip, key };
    return open.invite.email === null
      ? requestPage(visit, fields)
      : accountPage(visit, { invite: open.invite, email: open.invite.email, fields });
  };

/** The page for people without an invitation: asks for their e-mail address, if the realm lets them join. */
export const signUpPage =
  (app: PageApp) =>
  async (exchange: Exchange, fields: Fields | undefined): Promise<FormPage> => {
    const { realm } = await mailLink(app, exchange);
    if (!settingsOf(realm).invite_required)
      return requestPage({ app, realm, ip: exchange.ip }, fields);
    const content = `<p>You need an invitation to join ${escapeHtml(realm.name)}.</p>`;
    return { status: 404, title: 'Only by invitation', content };
  };

async function requestPage(
  visit: Visit & { readonly key?: string },
  fields: Fields | undefined,
): Promise<FormPage> {
  const { app, realm, ip, key } = visit;
  const email = textOf(fields, 'email');
  const problem =
    fields &&
    (await problemOf(() =>
      app.perform(api.invites.request, { key, email }, { ...visitor, realm, ip }),
    ));
  if (fields && !problem)
    return {
      status: 200,
      title: 'Look into your mailbox',
      content: `<p>A mail is on its way to ${escapeHtml(email.trim())}. Its link leads on.</p>`,
    };
  return formPage(problem, {
    title: `Join ${realm.name}`,
    button: 'Send me a mail',
    inputs: emailInput(email, problem),
  });
}

interface AccountForm {
  readonly invite: InviteRow;
  readonly email: string;
  readonly fields: Fields | undefined;
}

async function accountPage(
  visit: InvitedVisit,
  { invite, email, fields }: AccountForm,
): Promise<FormPage> {
  const { app, realm, key } = visit;
  const full_name = textOf(fields, 'full_name');
  const password = textOf(fields, 'password');
  const db = app.db.kysely;
  const groups = invite.invited_as === roles.guest ? [] : await offeredGroups(db, realm.id);
  const isChosen = ({ id }: DefaultChannelGroup) => textOf(fields, `group_${id}`) !== '';
  const default_stream_groups = groups.filter(isChosen).map(({ name }) => name);
  const problem =
    fields &&
    (await problemOf(() =>
      app.perform(
        api.invites.accept,
        { key, full_name, password, default_stream_groups },
        { ...visitor, realm },
      ),
    ));
  if (fields && !problem)
    return {
      status: 200,
      title: `Welcome to ${realm.name}`,
      content: `<p>Your account is ready. Sign in as ${escapeHtml(email)} with your password.</p>
<p><a href="/">Go to ${escapeHtml(realm.name)}</a></p>
<p>Apps on your phone ask for the address of this server: ${escapeHtml(realm.url)}.</p>`,
    };
  return formPage(problem, {
    title: `Join ${realm.name}`,
    button: 'Create my account',
    inputs: `<label for="email">E-mail address</label>
<input id="email" type="email" autocomplete="username" readonly value="${escapeHtml(email)}">
<label for="full_name">Full name <small>as others will see it</small></label>
<input id="full_name" name="full_name" autocomplete="name" maxlength="100" required value="${escapeHtml(full_name)}"${described(problem)}>
${passwordInput('Password', problem)}${groups.map((group) => groupChoice(group, isChosen(group))).join('')}`,
  });
}

/** A check box: subscribe to the channels of this group. */
const groupChoice = ({ id, name, description }: DefaultChannelGroup, isChosen: boolean): string => `
<label><input name="group_${id}" type="checkbox"${isChosen ? ' checked' : ''}> Channels of ${escapeHtml(name)} <small>${escapeHtml(description)}</small></label>`;
