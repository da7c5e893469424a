import type { ContractFixture } from '../../contract.fixture.ts';

const token = 'C0FFEE';

export const fixture: ContractFixture = {
  samples: {
    'POST /users/me/apns_device_token': () => ({ token, appid: 'org.example.app' }),
    'DELETE /users/me/apns_device_token': () => ({ token }),
  },
};
