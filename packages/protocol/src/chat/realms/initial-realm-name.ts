/** The name of a realm that its operator has not named. */
export const INITIAL_REALM_NAME = 'Bellhop';
