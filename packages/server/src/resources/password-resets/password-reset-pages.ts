import { escapeHtml, type Exchange, type FormPage } from '@bellhop/http';
import { api } from '@bellhop/protocol';

import {
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
import { noReset, openReset } from '../../model/password-resets/reset-link.ts';

/** Clients of the protocol open this address. */
export const FORGOT_PASSWORD_PATH = /^\/accounts\/password\/reset\/?(?:\?|$)/;
const ANOTHER = '<p><a href="/accounts/password/reset/">Ask for another link</a></p>';

/** The page for people who do not know their password: asks for their e-mail address. */
export const forgotPasswordPage =
  (app: PageApp) =>
  async (exchange: Exchange, fields: Fields | undefined): Promise<FormPage> => {
    const { realm } = await mailLink(app, exchange);
    const email = textOf(fields, 'email');
    const as = { ...visitor, realm, ip: exchange.ip };
    const problem =
      fields && (await problemOf(() => app.perform(api.passwordResets.request, { email }, as)));
    if (fields && !problem)
      return {
        status: 200,
        title: 'Look into your mailbox',
        content: `<p>If ${escapeHtml(email.trim())} has an account at ${escapeHtml(realm.name)}, a mail is on its way there. Its link leads on.</p>
<p>No mail? Ask an administrator of the organization to send you a link.</p>`,
      };
    return formPage(problem, {
      title: 'Forgot your password?',
      button: 'Send me a mail',
      inputs: `<p>Give the e-mail address of your account at ${escapeHtml(realm.name)}. You get a link to choose a new password.</p>
${emailInput(email, problem)}`,
    });
  };

/**
 * The page of a link to choose a new password. Opening it changes nothing, so that programs which look at
 * links in mails use none up.
 */
export const resetPasswordPage =
  (app: PageApp) =>
  async (exchange: Exchange, fields: Fields | undefined): Promise<FormPage> => {
    const { realm, key, lookUp } = await mailLink(app, exchange);
    const user = await lookUp(() => openReset(app.db.kysely, { app, realm }, key));
    if (!user)
      return {
        status: 404,
        title: 'Not valid',
        content: `<p>${noReset().message}</p>\n${ANOTHER}`,
      };
    const as = { ...visitor, realm, ip: exchange.ip };
    const new_password = textOf(fields, 'password');
    const problem =
      fields &&
      (await problemOf(() => app.perform(api.passwordResets.confirm, { key, new_password }, as)));
    const email = escapeHtml(user.delivery_email);
    if (fields && !problem)
      return {
        status: 200,
        title: 'You have a new password',
        content: `<p>All sessions of your account have ended. Sign in again as ${email} with the new password.</p>
<p><a href="/">Go to ${escapeHtml(realm.name)}</a></p>`,
      };
    return formPage(problem, {
      title: `Choose a new password for ${realm.name}`,
      button: 'Save the password',
      inputs: `<label for="email">E-mail address</label>
<input id="email" type="email" autocomplete="username" readonly value="${email}">
${passwordInput('New password', problem)}
<p>It ends all your sessions: sign in again with your phones and apps, and give your programs the new API key.</p>`,
    });
  };
