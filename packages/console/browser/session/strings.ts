export const strings = {
  title: 'Sign in to Bellhop',
  lead: 'Chat, bots, phones and pushes of this server on one page.',
  email: 'E-mail',
  password: 'Password',
  signIn: 'Sign in',
  hint: 'In a sandbox, open the link that npm start printed: it signs you in as everybody at once.',
  another: 'Add an account',
  signOut: 'Sign out',
  signOutAll: 'Sign out of all',
  accounts: 'Accounts',
  beside: 'Show beside',
};
