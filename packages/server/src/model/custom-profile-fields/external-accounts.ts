/**
 * The types of account that a custom profile field may have without an address pattern of its own: the
 * default name, the site and its addresses. `realm_default_external_accounts` of `/register`.
 */
export const externalAccounts = {
  github: {
    name: 'GitHub username',
    text: 'GitHub',
    hint: 'Your name in addresses of GitHub',
    url_pattern: 'https://github.com/%(username)s',
  },
  twitter: {
    name: 'Twitter username',
    text: 'Twitter',
    hint: 'Your name in addresses of Twitter, without @',
    url_pattern: 'https://twitter.com/%(username)s',
  },
};
