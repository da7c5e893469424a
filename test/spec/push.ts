import { names, type SpecSection } from './spec-section.ts';

export const push: readonly SpecSection[] = [
  {
    section: 'Register E2EE push device',
    route: 'POST /mobile_push/register',
    since: 406,
    values: { token_kind: ['fcm', 'apns'] },
    parameters: names(
      'token_kind push_account_id push_public_key bouncer_public_key encrypted_push_registration',
    ),
    errors: ['PUSH_SERVICE_NOT_CONFIGURED'],
    rules: {
      'Clients learn by push_device events whether the bouncer has accepted a registration':
        'devices/devices.test.ts > a registration fails if the bouncer rejects its content, and stays pending on any other error',
      'The server forwards a registration that it cannot read':
        'devices/devices.test.ts > a registration reaches the bouncer unchanged, and each account has its own status',
      'The public key is base64 of a key that can be used for encryption':
        'devices/devices.test.ts > POST /mobile_push/register rejects a public key that cannot be used for encryption',
      'Bots register no device':
        'test/permissions.test.ts > admits and refuses callers as declared',
      'push_account_id is a signed integer of 64 bits':
        'devices/devices.test.ts > POST /mobile_push/register rejects a push_account_id of more than 64 bits',
    },
  },
  {
    section: 'Send an E2EE test notification',
    route: 'POST /mobile_push/e2ee/test_notification',
    since: 420,
    parameters: ['push_account_id'],
    errors: [
      'NO_ACTIVE_PUSH_DEVICE',
      'ADMIN_ACTION_REQUIRED',
      'FAILED_TO_CONNECT_BOUNCER',
      'INTERNAL_SERVER_ERROR_ON_BOUNCER',
    ],
    rules: {
      'Without push_account_id all devices of the user get the notification':
        'test/encrypted-push.test.ts > a test notification reaches both phones and the browser, and neither bouncer nor provider can read it',
      'With push_account_id only that device gets the notification':
        'test/encrypted-push.test.ts > a test notification can name one phone, and fails for a user without phones',
      'Each error of the bouncer has its own code':
        'devices/devices.test.ts > a test notification fails with the code for the error of the bouncer, and stores its realm status',
    },
  },
];
