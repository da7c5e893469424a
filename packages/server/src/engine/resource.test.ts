import type { Api, ErrorCode, EventOf, EventType, MessageId } from '@bellhop/protocol';
import { describe, expectTypeOf, test } from 'vitest';

// Declares the form in which messages are stored.
import type {} from '../resources/messages/present-message.ts';
import { ApiError } from './api-error.ts';
import type { JobApp } from './app.ts';
import type { Change, LockedChange, LockedTx } from './call.ts';
import type { Actor, Realm, User } from './caller.ts';
import type {
  Fail,
  Handlers,
  ReadCall,
  Resource,
  ServerResources,
  StepsCall,
  UserStateCall,
  WriteCall,
} from './resource.ts';
import type { Emitted } from './stored-event.ts';
import type { BatchedWrite } from './write-batcher.ts';

type Get = ReadCall<Api['botStorage']['get']>;
type React = WriteCall<Api['reactions']['add']>;

describe('handlers', () => {
  const remove: Handlers<'botStorage'>['remove'] = async () => ({});
  const put: Handlers<'botStorage'>['put'] = async () => ({});
  const get: Handlers<'botStorage'>['get'] = async () => ({ storage: {} });

  test('are exactly the operations of the contract', () => {
    expectTypeOf({ put, get, remove }).toExtend<Handlers<'botStorage'>>();
    // @ts-expect-error `remove` is missing.
    const missing: Handlers<'botStorage'> = { put, get };
    // @ts-expect-error The contract has no `delete`.
    const misspelt: Handlers<'botStorage'> = { put, get, remove, delete: remove };
    void [missing, misspelt];
  });

  test('must return the result of the contract', () => {
    // @ts-expect-error `storage` is a record of texts.
    const wrong: Handlers<'botStorage'>['get'] = async () => ({ storage: { key: 1 } });
    // @ts-expect-error `storage` is missing.
    const empty: Handlers<'botStorage'>['get'] = async () => ({});
    void [wrong, empty];
  });

  test('get a user, or null if the contract allows calls without a login', () => {
    expectTypeOf<Get['user']>().toEqualTypeOf<User>();
    expectTypeOf<ReadCall<Api['serverSettings']['get']>['user']>().toEqualTypeOf<User | null>();
  });
});

describe('a call', () => {
  test('has an actor if the contract asks for a login', () => {
    expectTypeOf<Get['actor']>().toEqualTypeOf<Actor>();
    expectTypeOf<ReadCall<Api['serverSettings']['get']>['actor']>().toEqualTypeOf<undefined>();
  });

  test('of a GET neither emits nor enqueues, and its database has no method that writes', () => {
    expectTypeOf<Get>().not.toHaveProperty('emit');
    expectTypeOf<Get>().not.toHaveProperty('enqueue');
    expectTypeOf<Get>().not.toHaveProperty('change');
    expectTypeOf<Get['db']>().toHaveProperty('selectFrom');
    expectTypeOf<Get['db']>().not.toHaveProperty('insertInto');
    expectTypeOf<Get['db']>().not.toHaveProperty('replaceInto');
    expectTypeOf<Get['db']>().not.toHaveProperty('with');
    expectTypeOf<Get['db']>().not.toHaveProperty('updateTable');
    expectTypeOf<Get['db']>().not.toHaveProperty('deleteFrom');
    expectTypeOf<Get['db']>().not.toHaveProperty('mergeInto');
    expectTypeOf<Get['db']>().not.toHaveProperty('schema');
    expectTypeOf<Get['db']>().not.toHaveProperty('transaction');
  });

  test('of a GET and of the initial state reaches no part of the app that opens a transaction', () => {
    type Parts = 'change' | 'changeIn' | 'db' | 'writeBatcher';
    expectTypeOf<keyof JobApp & Parts>().toEqualTypeOf<Parts>();
    expectTypeOf<keyof Get['app'] & Parts>().toBeNever();
    expectTypeOf<keyof UserStateCall['app'] & Parts>().toBeNever();
    expectTypeOf<UserStateCall['db']>().toEqualTypeOf<Get['db']>();
  });

  test('with steps reads from a database that has no method that writes', () => {
    type Send = StepsCall<Api['messages']['send']>;
    expectTypeOf<Send['db']>().toEqualTypeOf<Get['db']>();
    expectTypeOf<Send>().toHaveProperty('change');
    expectTypeOf<Send>().not.toHaveProperty('emit');
  });

  test('emits only events that the contract lists', () => {
    expectTypeOf<Parameters<React['emit']>[0]>().toEqualTypeOf<
      EventOf<'reaction'> | Emitted<'user_topic'>
    >();
    void (({ emit }: React) => {
      // @ts-expect-error Adding a reaction sends no typing event.
      emit({ type: 'typing' }, []);
      // @ts-expect-error A reaction has an emoji.
      emit({ type: 'reaction', op: 'add', message_id: 1 as MessageId }, []);
    });
  });

  test('emits through a helper only events that the contract lists', () => {
    type Typing = Pick<Change<'typing'>, 'emit'>;
    const helpers = {
      alike: ({ emit }: Pick<Change<'reaction'>, 'emit'>) => emit,
      part: ({ emit }: Typing) => emit({ type: 'typing' } as Emitted<'typing'>, []),
      whole: (change: Change<'typing'>) => helpers.part(change),
      wider: (_change: Change<'reaction' | 'user_topic' | 'typing'>) => {},
      any: (_change: Change) => {},
      bare: (emit: Typing['emit']) => helpers.part({ emit }),
      generic: (
        _emit: <T extends EventType>(event: Emitted<T>, audience: readonly number[]) => void,
      ) => {},
      loose: (
        _emit: (event: { readonly type: EventType }, audience: readonly number[]) => void,
      ) => {},
      chosen: <T extends EventType>(_change: Pick<Change<T>, 'emit'>, _event: Emitted<T>) => {},
    };
    void ((call: React, typing: Emitted<'typing'>) => {
      helpers.alike(call);
      // @ts-expect-error The helper emits typing events.
      helpers.part(call);
      // @ts-expect-error Nor may it get a part of the call.
      helpers.part({ emit: call.emit });
      // @ts-expect-error The helper hands the change to one that emits typing events.
      helpers.whole(call);
      // @ts-expect-error The helper emits what the contract lists, and typing events.
      helpers.wider(call);
      // @ts-expect-error The helper emits anything.
      helpers.any(call);
      // @ts-expect-error The helper takes the function alone.
      helpers.bare(call.emit);
      // @ts-expect-error The helper declares its own type of the function.
      helpers.generic(call.emit);
      // @ts-expect-error The helper declares no event.
      helpers.loose(call.emit);
      // @ts-expect-error The helper gets the event from the handler.
      helpers.chosen(call, typing);
    });
  });

  test('locks the realm if its endpoint says so, or only a role may call it', () => {
    const helper = ({ db }: Pick<LockedChange<'reaction'>, 'db'>) => db;
    void ((call: WriteCall<Api['subscriptions']['add']>) => helper(call));
    void ((call: WriteCall<Api['linkifiers']['add']>) => helper(call));
    // @ts-expect-error Adding a reaction locks no realm.
    void ((call: React) => helper(call));
    void (({ change }: StepsCall<Api['messages']['send']>) =>
      // @ts-expect-error Nor does sending a message, and the helper may not get a part of the change.
      change(async ({ db }) => helper({ db })));
  });

  test('with steps has the realm and the user of now only inside of a change that locks the realm', () => {
    type Create = StepsCall<Api['users']['create']>;
    expectTypeOf<Create>().not.toHaveProperty('realm');
    expectTypeOf<Create>().not.toHaveProperty('user');
    expectTypeOf<Create>().not.toHaveProperty('actor');
    expectTypeOf<Create['before']>().toEqualTypeOf<{
      readonly realm: Realm;
      readonly user: User;
    }>();
    void ((call: Create) =>
      call.change(async ({ db, realm, user, actor }) => {
        expectTypeOf(db).toEqualTypeOf<LockedTx>();
        expectTypeOf(actor).toEqualTypeOf<Actor>();
        expectTypeOf({ realm, user }).toEqualTypeOf<{ realm: Realm; user: User }>();
      }));
    type Accept = StepsCall<Api['invites']['accept']>;
    expectTypeOf<Accept['before']['user']>().toEqualTypeOf<User | null>();
  });

  test('with steps emits only events that the contract lists, in a batch too', () => {
    type Send = StepsCall<Api['messages']['send']>;
    type Open = <T>(work: (change: Change<'typing'>) => Promise<T>) => Promise<T>;
    const typing = async (_change: Change<'typing'>) => [];
    const batch: BatchedWrite<object, object, 'message' | 'typing'> = typing;
    const anything: BatchedWrite<object, object> = typing;
    const open = (_call: { readonly change: Open }) => {};
    void ((call: Send) => {
      void call.change(async (_change: Change<'message'>) => {});
      // @ts-expect-error Sending a message sends no typing event.
      void call.change(typing);
      // @ts-expect-error The helper opens a change that emits typing events.
      open(call);
      // @ts-expect-error The batch emits a typing event.
      void call.batched(batch, {});
      // @ts-expect-error The batch declares no event and may emit anything.
      void call.batched(anything, {});
    });
  });

  test('opens no change in which it could emit anything, neither itself nor through a helper', () => {
    const helpers = {
      bound: (app: JobApp, realm: Realm, work: (change: Change) => Promise<void>) =>
        app.change(realm, work),
      part: (_app: Pick<JobApp, 'changeIn'>) => {},
    };
    void ((call: React, { app, realm }: StepsCall<Api['messages']['send']>) => {
      // @ts-expect-error Only jobs open a change for which no endpoint declares events.
      void app.change(realm, async () => {});
      // @ts-expect-error The helper belongs to jobs.
      void helpers.bound(app, realm, async () => {});
      // @ts-expect-error The helper emits in the transaction of the call.
      helpers.part(call.app);
    });
  });

  test('fails only with errors that the contract lists', () => {
    void (({ fail }: React) => fail('REACTION_ALREADY_EXISTS'));
    // @ts-expect-error Adding a reaction does not list this error.
    void (({ fail }: React) => fail('REACTION_DOES_NOT_EXIST'));
    // Every endpoint may answer it.
    void (() => new ApiError('USER_DEACTIVATED'));
    // @ts-expect-error A verb throws the errors of an endpoint with `fail`.
    void (() => new ApiError('REACTION_DOES_NOT_EXIST'));
  });

  test('fails through a helper only with errors that the contract lists', () => {
    const helpers = {
      alike: (fail: Fail<'REACTION_ALREADY_EXISTS'>) => fail('REACTION_ALREADY_EXISTS'),
      general: (fail: Fail<never>) => fail('USER_DEACTIVATED'),
      other: ({ fail }: { readonly fail: Fail<'REACTION_DOES_NOT_EXIST'> }) =>
        fail('REACTION_DOES_NOT_EXIST'),
      wider: (_fail: Fail<'REACTION_ALREADY_EXISTS' | 'REACTION_DOES_NOT_EXIST'>) => {},
      any: (_fail: Fail<ErrorCode>) => {},
      loose: (_fail: (code: ErrorCode) => never) => {},
      generic: (_fail: <C extends ErrorCode>(code: C) => never) => {},
      chosen: <C extends ErrorCode>(_fail: Fail<C>, _code: C) => {},
    };
    void ((call: React) => {
      helpers.alike(call.fail);
      helpers.general(call.fail);
      // @ts-expect-error Adding a reaction does not list the error of the helper.
      helpers.other(call);
      // @ts-expect-error Nor one of its errors.
      helpers.wider(call.fail);
      // @ts-expect-error The helper fails with anything.
      helpers.any(call.fail);
      // @ts-expect-error The helper declares its own type of the function.
      helpers.loose(call.fail);
      // @ts-expect-error The helper chooses the error.
      helpers.generic(call.fail);
      // @ts-expect-error The helper gets the error from the handler.
      helpers.chosen(call.fail, 'REACTION_DOES_NOT_EXIST');
    });
  });
});

describe('a resource', () => {
  const handlers = {} as Handlers<'messages'>;
  const { state, presenters } = {} as Resource<'messages'>;

  test('must have the handlers, the state and the presenters of its contract', () => {
    expectTypeOf({ handlers, state, presenters }).toExtend<Resource<'messages'>>();
    // @ts-expect-error The state is missing.
    const stateless: Resource<'messages'> = { handlers, presenters };
    // @ts-expect-error The presenters are missing: messages are stored in another form.
    const bare: Resource<'messages'> = { handlers, state };
    // @ts-expect-error Reactions have no section of the initial state.
    const more: Resource<'reactions'> = { handlers: {} as Handlers<'reactions'>, state: {} };
    void [stateless, bare, more];
  });

  test('must read every key of its sections of the initial state', () => {
    // @ts-expect-error The section `giphy` has the key giphy_api_key.
    const giphy: Resource<'absentFeatures'>['state']['giphy'] = () => ({});
    // @ts-expect-error The user may be null: the section allows clients without a login.
    const realm: Resource<'realms'>['state']['realm'] = ({ user }) => user.id;
    void [giphy, realm];
  });

  test('must be in the list of the contract, and its table declared', () => {
    // @ts-expect-error The list of `protocol` has no wishes.
    const wishes: Resource<'wishes'> = {};
    void wishes;
    void (({ db }: Get) => db.selectFrom('bot_storage'));
    // @ts-expect-error Nothing declares a table wish.
    void (({ db }: Get) => db.selectFrom('wish'));
  });

  test('is required for every contract', () => {
    const { messages: _messages, ...others } = {} as ServerResources;
    // @ts-expect-error The messages are missing.
    const some: ServerResources = others;
    void some;
  });
});
