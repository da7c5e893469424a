import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';

let chat: TestChat;
beforeAll(async () => (chat = await startTestChat()));
afterAll(() => chat[Symbol.asyncDispose]());

const valid = {
  name: 'Rust playground',
  highlighter_language: 'rust',
  url_template: 'https://play.test/?code={code}',
};
const add = (fields: Record<string, string>, by = chat.people.iago) =>
  chat.ask(by, 'POST /realm/playgrounds', { ...valid, ...fields });

describe('a code playground', () => {
  test('is in the initial state and in an event under both names of its language', async () => {
    const { hamlet, iago } = chat.people;
    const queue = await listen(hamlet);
    const { id } = await iago.client.playgrounds.add(valid);
    const realm_playgrounds = [{ id, pygments_language: 'rust', ...valid }];
    expect(await queue.events('realm_playgrounds')).toMatchObject([{ realm_playgrounds }]);
    const state = () => hamlet.client.queues.register({ fetch_event_types: ['realm_playgrounds'] });
    expect(await state()).toMatchObject({ realm_playgrounds });
    await iago.client.playgrounds.remove({ playground_id: id });
    expect(await queue.events('realm_playgrounds')).toMatchObject([{ realm_playgrounds: [] }]);
    expect(await state()).toMatchObject({ realm_playgrounds: [] });
    await expect(iago.client.playgrounds.remove({ playground_id: id })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'Invalid playground',
    });
  });

  test('may be added with the older name of its language', async () => {
    const { highlighter_language, ...others } = valid;
    const { status } = await chat.ask(chat.people.iago, 'POST /realm/playgrounds', {
      ...others,
      name: 'older',
      pygments_language: highlighter_language,
    });
    expect(status).toBe(200);
  });
});

describe('adding a code playground', () => {
  test.each([
    [{ highlighter_language: 'c$' }, 'Invalid characters in highlighter language'],
    [{ url_template: 'https://x.test/{code' }, 'Invalid URL template.'],
    [{ url_template: 'ftp://x.test/{code}' }, 'The URL template must begin with https://'],
    [{ url_template: 'https://x.test/' }, 'Missing the required variable "code"'],
    [{ url_template: 'https://x.test/{code}{x}' }, '"code" should be the only variable'],
    [{ name: 'twice' }, 'A code playground with this language and name already exists.'],
  ])('is refused with %j', async (fields: Record<string, string>, text) => {
    await add({ name: 'twice' });
    expect((await add(fields)).body).toMatchObject({
      code: 'BAD_REQUEST',
      msg: expect.stringContaining(text),
    });
  });

  test('is refused to moderators', async () => {
    const { body } = await add({}, chat.people.shiva);
    expect(body).toMatchObject({ code: 'UNAUTHORIZED_PRINCIPAL' });
  });
});
