/**
 * How the rows begin that no test shows yet. Remove an entry together with its last empty row: an
 * entry without an empty row fails the test.
 */
export const notShown: readonly string[] = [
  'parameter POST /channels/create folder_id',
  'rule The groups of an invitation are those to which the inviter may add users',
  'parameter PATCH /users/{user_id} profile_data',
  'rule A comment that is not null is sent to the user by e-mail',
];
