import type { App } from '../../engine/app.ts';
import type { User } from '../../engine/caller.ts';
import type { Resource } from '../../engine/resource.ts';

interface TokenCall {
  readonly app: Pick<App, 'log'>;
  readonly user: User;
}

/**
 * Stores nothing. It is a success nevertheless, as on a public server without a push service: at a
 * refusal the app only logs an error, at each start. So the operator reads it here, who can tell the user.
 */
async function ignoreToken({ app, user: { id, realm_id } }: TokenCall): Promise<{}> {
  app.log.info(
    { user_id: id, realm_id },
    'an app asked for pushes without encryption, which this server does not send: its user gets none before the app is updated',
  );
  return {};
}

/** There is no token: a removal succeeds. */
const nothing = async () => ({});

export const unencryptedPush: Resource<'unencryptedPush'> = {
  handlers: {
    addFcmToken: ignoreToken,
    removeFcmToken: nothing,
    addApnsToken: ignoreToken,
    removeApnsToken: nothing,
  },
};
