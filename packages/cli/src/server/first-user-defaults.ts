/**
 * The settings that users of a realm made by a command start with: the protocol's defaults but for Enter, which
 * people expect to send.
 */
export const firstUserDefaults = { enter_sends: true };
