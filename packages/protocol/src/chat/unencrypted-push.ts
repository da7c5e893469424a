import { apnsToken, DeviceToken, IosAppId } from '../push/push.ts';
import { endpoint } from '../wire/endpoint.ts';
import { resource } from '../wire/resource.ts';

const registration =
  'For apps from before encrypted pushes, which call it at each start. This server sends encrypted pushes only (POST /mobile_push/register): it checks the parameters, stores nothing, sends nothing to the token, and says so by naming the parameters in ignored_parameters_unsupported.';
const removal =
  'For apps from before encrypted pushes, which call it at a logout. It succeeds: the server has no such token.';

const ApnsToken = DeviceToken.regex(apnsToken, 'must be an even number of hexadecimal digits').meta(
  { example: 'c0ffee' },
);

const endpoints = {
  addFcmToken: endpoint('POST /users/me/android_gcm_reg_id', {
    summary: 'Register an FCM token for pushes without encryption',
    description: registration,
    access: 'human',
    params: { token: DeviceToken },
    unused: () => ['token'],
  }),

  removeFcmToken: endpoint('DELETE /users/me/android_gcm_reg_id', {
    summary: 'Remove an FCM token for pushes without encryption',
    description: removal,
    access: 'human',
    params: { token: DeviceToken },
  }),

  addApnsToken: endpoint('POST /users/me/apns_device_token', {
    summary: 'Register an APNs token for pushes without encryption',
    description: registration,
    access: 'human',
    params: { token: ApnsToken, appid: IosAppId },
    unused: () => ['token', 'appid'],
  }),

  removeApnsToken: endpoint('DELETE /users/me/apns_device_token', {
    summary: 'Remove an APNs token for pushes without encryption',
    description: removal,
    access: 'human',
    params: { token: ApnsToken },
  }),
};

/** Pushes that providers can read, which this server does not send. */
export const unencryptedPush = resource({ endpoints });
