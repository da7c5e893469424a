import { expect, test } from 'vitest';

import { uploadLinks } from './attachments.ts';

test.each<[string, string, readonly string[]]>([
  ['a relative link', '[a.txt](/user_uploads/1/x/a.txt)', ['a.txt /user_uploads/1/x/a.txt']],
  [
    'a link with the address of the server',
    '[](https://chat.test/user_uploads/1/x/a.txt)',
    ['a.txt /user_uploads/1/x/a.txt'],
  ],
  ['a link to another server', '[a](https://evil.test/user_uploads/1/x/a.txt)', []],
  ['a server whose name begins alike', '[a](https://chat.test.evil.test/user_uploads/1/a)', []],
  ['a link to no upload', '[a](/help)', []],
  ['a path that climbs', '[a](/user_uploads/../../api/v1/users)', []],
  ['a path that climbs in other letters', '[a](/user_uploads/%2E%2e/users/me)', []],
  ['a path that climbs with a backslash', '[a](/user_uploads/..\\users)', []],
  ['a name with two dots', '[a](/user_uploads/1/x/a..b)', ['a /user_uploads/1/x/a..b']],
  ['the same file twice', '[a](/user_uploads/1/a) [b](/user_uploads/1/a)', ['a /user_uploads/1/a']],
])('the uploads of a message: %s', (_name, content, expected) => {
  const found = uploadLinks(content, 'https://chat.test/');
  expect(found.map(({ name, url }) => `${name} ${url}`)).toEqual(expected);
});
