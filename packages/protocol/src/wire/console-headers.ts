/** The request header with the page's half of a console session. The cookie is the other half. */
export const CONSOLE_HEADER = 'bellhop-console';
/** The request header that chooses an account of a console session by its user ID. */
export const ACCOUNT_HEADER = 'bellhop-account';
