import type { ContractFixture } from '../../contract.fixture.ts';

export const fixture: ContractFixture = {
  parameters: { user_id: ({ people }) => people.iago.user.id },
};
