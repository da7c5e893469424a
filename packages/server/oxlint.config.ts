import { join } from 'node:path';

import { defineConfig } from 'oxlint';

// @boundaries-ignore The configurations of the linter share it, and no package has it at run time.
import {
  forbids,
  forbidsBeside,
  notBefore,
  requireListed,
  rulesOfAll,
  type Stair,
} from '../../scripts/stair.ts';

/** The folders that model and resources may import, and which import neither: from the bottom. */
const ground: Stair = [
  ['engine', 'emoji'],
  ['files', 'markdown', 'images', 'mail'],
];

/** The files of the model, which every noun may import. */
const files = ['conversation', 'list-limits', 'removes-row', 'require-room'];

/**
 * The nouns of the model, from the bottom. A noun imports, types included, only nouns of the rows before
 * its own.
 */
const nouns: Stair = [
  ['realms', 'channel-folders', 'submessages', 'alert-words', 'muted-users'],
  ['accounts', 'bot-changes', 'bot-storage', 'bot-topics', 'linkifiers', 'navigation-views'],
  ['playgrounds', 'default-channel-groups', 'realm-images', 'saved-snippets', 'user-status'],
  ['realm-domains', 'email-changes', 'queues'],
  ['users'],
  ['user-groups', 'typing', 'presence', 'settings'],
  ['custom-profile-fields', 'console-sessions', 'password-resets', 'avatars'],
  ['channels', 'realm-emoji'],
  ['user-topics', 'reactions', 'invites'],
  ['messages'],
  ['uploads', 'reminders', 'notifications', 'devices', 'drafts', 'bots'],
  ['scheduled-messages', 'mails', 'bot-deliveries'],
];

/**
 * The folders of verbs, from the bottom: a verb may need those below. What several need, such as the events
 * about a user, is below all of them. Whom many verbs concern, such as somebody who leaves, is above.
 */
const verbs: Stair = [
  [
    'absent-features',
    'alert-words',
    'bot-changes',
    'bot-storage',
    'bot-topics',
    'unencrypted-push',
  ],
  ['channel-folders', 'custom-profile-fields', 'default-channel-groups', 'devices', 'linkifiers'],
  [
    'mails',
    'navigation-views',
    'playgrounds',
    'presence',
    'queues',
    'realm-domains',
    'realm-emoji',
  ],
  ['realm-images', 'saved-snippets', 'server-settings', 'typing', 'user-status', 'user-topics'],
  ['accounts', 'submessages', 'user-events'],
  ['console-sessions'],
  ['messages', 'webhooks'],
  ['bot-deliveries', 'bots', 'drafts', 'muted-users', 'reactions', 'reminders'],
  ['scheduled-messages', 'uploads'],
  ['avatars', 'channels'],
  ['user-groups'],
  ['invites', 'realms'],
  ['email-changes', 'password-resets', 'users'],
  ['settings'],
];
/** A message calls webhooks, and what a webhook replies is a message. */
const circle = ['messages', 'webhooks'];
const above = (verb: string) =>
  notBefore(verbs, verb).filter((other) => !(circle.includes(verb) && circle.includes(other)));

requireListed(join(import.meta.dirname, 'src/model'), [files, ...nouns]);
requireListed(join(import.meta.dirname, 'src/resources'), verbs);

const VERBS =
  'What emits, enqueues, handles or opens a change is a verb: it belongs to resources/.';
const changes = {
  group: ['**/engine/call.ts'],
  importNames: ['Change', 'ChangeOptions'],
  message: VERBS,
};
const onlyOwn = {
  regex: String.raw`^\.\./`,
  message:
    'The engine knows only itself: what is above adds its part to App (src/app-services.ts).',
};
const noVerbs = forbids(['resources', 'portability'], 'The model knows no verbs.');
const noMoves = forbids(['portability'], 'It moves whole realms, and stands above the verbs.');
/** Columns on which rights in a channel depend. The linter does not see those that a text of SQL names. */
const privacy = [
  'invite_only',
  'is_web_public',
  'history_public_to_subscribers',
  'can_administer_channel_group',
  'can_subscribe_group',
].map((property) => ({
  property,
  message: 'model/channels/channel-rights.ts decides: ask model/channels/access.ts.',
}));
const sql = 'Only the model has SQL: write a query in model/ and call it.';
const errors = {
  importNames: ['ApiError'],
  allowTypeImports: true,
  message: 'Throw an error that the endpoint declares with fail, others with engine/api-error.ts.',
};
const clock = { object: 'Date', property: 'now', message: 'Ask the clock that is handed in.' };
const transaction = {
  property: 'transaction',
  message: 'Only a change opens one: rows, events and jobs commit together.',
};
const builders = ['selectFrom', 'insertInto', 'updateTable', 'deleteFrom', 'mergeInto'];

export default defineConfig({
  extends: [rulesOfAll],
  // The compiler compares the parameters of properties strictly, and those of methods not: a method
  // `emit` or `fail` of a helper could be wider than what an endpoint declares.
  rules: { 'typescript/method-signature-style': 'error' },
  overrides: [
    ...ground.flat().map((folder) => ({
      files: [`src/${folder}/**`],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              folder === 'engine'
                ? onlyOwn
                : forbids(
                    ['model', 'resources', ...notBefore(ground, folder)],
                    'It knows neither nouns nor verbs, nor what is beside it.',
                  ),
            ],
          },
        ],
      },
    })),
    {
      files: ['src/model/*.ts'],
      rules: {
        'no-restricted-imports': [
          'error',
          { patterns: [noVerbs, forbidsBeside(nouns.flat(), 'Every noun is above it.'), changes] },
        ],
      },
    },
    ...nouns.flat().map((noun) => ({
      files: [`src/model/${noun}/**`],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              noVerbs,
              forbids(
                notBefore(nouns, noun),
                `The list of nouns in oxlint.config.ts does not have it before ${noun}.`,
              ),
              changes,
            ],
          },
        ],
        'no-restricted-properties': [
          'error',
          ...['emit', 'enqueue', 'enqueueAll', 'endQueues', 'endLogins'].map((property) => ({
            property,
            message: VERBS,
          })),
          clock,
          transaction,
          ...(noun === 'channels' ? [] : privacy),
        ],
      },
    })),
    ...verbs.flat().map((verb) => ({
      files: [`src/resources/${verb}/**`],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            paths: [
              { name: 'kysely', message: sql },
              { name: '@bellhop/protocol', ...errors },
            ],
            patterns: [
              {
                group: ['**/engine/change.ts'],
                message: 'A handler changes with its call, a job with its app.',
              },
              noMoves,
              forbids(
                above(verb),
                `The list of verbs in oxlint.config.ts does not have it before ${verb}.`,
              ),
            ],
          },
        ],
      },
    })),
    {
      files: ['src/resources/**'],
      rules: {
        'no-restricted-properties': [
          'error',
          ...builders.map((property) => ({ property, message: sql })),
          clock,
          transaction,
          ...privacy,
        ],
      },
    },
    {
      files: ['src/resources/channels/**'],
      rules: {
        'no-restricted-properties': [
          'error',
          ...builders.map((property) => ({ property, message: sql })),
          clock,
          transaction,
        ],
      },
    },
    {
      // Which realms there are is announced to the bouncer from outside of any of them.
      files: ['src/resources/devices/announce-realms.ts'],
      rules: { 'no-restricted-properties': ['error', clock, ...privacy] },
    },
    {
      files: ['src/**/*.{test,fixture}.ts'],
      rules: { 'no-restricted-imports': 'off', 'no-restricted-properties': 'off' },
    },
  ],
});
