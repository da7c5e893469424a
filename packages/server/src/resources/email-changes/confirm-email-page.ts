import { escapeHtml, type Exchange, type FormPage } from '@bellhop/http';
import { api } from '@bellhop/protocol';

import {
  type Fields,
  formPage,
  mailLink,
  type PageApp,
  problemOf,
  visitor,
} from '../../form-page.ts';
import { noEmailChange, openEmailChange } from './confirm-email-change.ts';

/**
 * The page that confirms a new address. Opening it changes nothing, so that programs which look at links
 * in mails confirm none.
 */
export const confirmEmailPage =
  (app: PageApp) =>
  async (exchange: Exchange, fields: Fields | undefined): Promise<FormPage> => {
    const { realm, key, lookUp } = await mailLink(app, exchange);
    const open = await lookUp(() => openEmailChange(app.db.kysely, { app, realm }, key));
    if (!open)
      return { status: 404, title: 'Not valid', content: `<p>${noEmailChange().message}</p>` };
    const address = escapeHtml(open.new_email);
    const confirm = () => app.perform(api.emailChanges.confirm, { key }, { ...visitor, realm });
    const problem = fields && (await problemOf(confirm));
    if (fields && !problem)
      return {
        status: 200,
        title: 'Your address has changed',
        content: `<p>Sign in with ${address} from now on.</p>`,
      };
    return formPage(problem, {
      title: `Confirm your address at ${realm.name}`,
      inputs: `<p>Your account at ${escapeHtml(realm.name)} gets the e-mail address ${address}, in place of ${escapeHtml(open.user.delivery_email)}.</p>`,
      button: 'Confirm',
    });
  };
