import type { ContractFixture } from '../../contract.fixture.ts';

export const fixture: ContractFixture = {
  samples: {
    'POST /fetch_api_key': () => ({ username: 'horatio@chat.test', password: 'a long password 4' }),
  },
  declared: {
    'POST /fetch_api_key AUTHENTICATION_FAILED': ({ chat }) =>
      chat.people.hamlet.client.accounts.fetchApiKey({ username: 'a@b.c', password: 'x' }),
  },
};
