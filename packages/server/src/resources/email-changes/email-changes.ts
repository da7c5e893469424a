import type { Resource } from '../../engine/resource.ts';
import { confirmEmailChange } from './confirm-email-change.ts';

export const emailChanges: Resource<'emailChanges'> = {
  handlers: {
    async confirm({ app, realm, params, change }) {
      const { id, email } = await confirmEmailChange({ app, realm, change }, params.key);
      return { user_id: id, email };
    },
  },
};
