/** The words for values of phones and pushes. */
export const kindNames = { fcm: 'Android', apns: 'iOS', webpush: 'Browser' };
export const typeNames = { message: 'Message', remove: 'Removal', test: 'Test notification' };
export const registrationNames = {
  active: 'registered',
  pending: 'registering',
  failed: 'failed',
  no_token: 'no token',
  none: 'unknown',
};
export const hopNames = {
  server: 'server',
  bouncer: 'bouncer',
  link: 'link',
  provider: 'provider',
  phone: 'phone',
};
