import type { Api, AskOf, MessageId } from '@bellhop/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { refusedWith } from '../../expect-refused.fixture.ts';
import { imageOf } from '../../images/images.fixture.ts';
import { startTestChat, type TestChat } from '../../test-chat.fixture.ts';

let chat: TestChat;
let file: File;
let message_id: MessageId;
beforeAll(async () => {
  chat = await startTestChat();
  file = new File([new Uint8Array(await imageOf('png', 64, 64))], 'a.png');
});
beforeEach(async () => {
  const { iago, hamlet } = chat.people;
  const to = [hamlet.user.id];
  const { id } = await iago.client.messages.send({ type: 'direct', to, content: 'x' });
  message_id = id;
});
afterAll(() => chat[Symbol.asyncDispose]());

type ReactionRequest = Omit<AskOf<Api['reactions']['remove']>, 'message_id'>;
const react = (request: ReactionRequest & { emoji_name: string }) =>
  chat.people.iago.client.reactions.add({ message_id, ...request });
const unreact = (request: ReactionRequest) =>
  chat.people.iago.client.reactions.remove({ message_id, ...request });
const codes = async () => {
  const { message } = await chat.people.iago.client.messages.fetchOne({ message_id });
  return message.reactions.map(({ emoji_code }) => emoji_code);
};

/** Uploads a custom emoji. Returns its code. */
async function upload(emoji_name: string): Promise<string> {
  const { realmEmoji } = chat.people.iago.client;
  await realmEmoji.upload({ emoji_name }, { file });
  const { emoji } = await realmEmoji.list();
  return Object.values(emoji).findLast(({ name }) => name === emoji_name)?.id ?? '';
}
const deactivate = (emoji_name: string) =>
  chat.people.iago.client.realmEmoji.remove({ emoji_name });

describe('the reaction of a user with a custom emoji', () => {
  test('is removed by code or name with or without a type, also if the emoji is deactivated', async () => {
    const emoji_name = 'party_fox';
    const emoji_code = await upload(emoji_name);
    const reaction_type = 'realm_emoji' as const;
    const requests = [{ emoji_code }, { emoji_name }, { emoji_name, emoji_code }].flatMap(
      (named) => [named, { ...named, reaction_type }],
    );
    for (const request of requests) {
      await react({ emoji_name });
      await unreact(request);
      expect(await codes()).toEqual([]);
    }
    // Others may join this reaction after the emoji is deactivated.
    await chat.people.hamlet.client.reactions.add({ message_id, emoji_name });
    await deactivate(emoji_name);
    for (const request of requests) {
      await react({ emoji_name, emoji_code, reaction_type });
      await unreact(request);
      expect(await codes()).toEqual([emoji_code]);
    }
  });

  test('is found by the active emoji if several reactions have the name', async () => {
    const emoji_name = 'octopus';
    const builtIn = '1f419';
    await react({ emoji_name });
    const first = await upload(emoji_name);
    await react({ emoji_name });
    await deactivate(emoji_name);
    const second = await upload(emoji_name);
    await react({ emoji_name });
    expect(await codes()).toEqual([builtIn, first, second]);
    await unreact({ emoji_name });
    expect(await codes()).toEqual([builtIn, first]);
    await unreact({ emoji_name, reaction_type: 'realm_emoji' });
    expect(await codes()).toEqual([builtIn]);
    await unreact({ emoji_name });
    expect(await codes()).toEqual([]);
  });

  test('cannot be removed if there is none, with an error for a code of no emoji', async () => {
    const emoji_code = await upload('party_owl');
    const gone = refusedWith('Reaction does not exist', 'REACTION_DOES_NOT_EXIST');
    for (const request of [{ emoji_code }, { emoji_name: 'party_owl' }])
      await expect(unreact(request)).rejects.toMatchObject(gone);
    for (const request of [
      { emoji_code: '999999' },
      { emoji_code, reaction_type: 'unicode_emoji' as const },
    ])
      await expect(unreact(request)).rejects.toMatchObject(refusedWith('Invalid emoji code'));
  });
});
