import { globSync } from 'node:fs';

import type { PermissionCase, PermissionCases } from './permission-case.fixture.ts';
import type { Sample } from './sample.fixture.ts';
import type { Person, TestChat } from './test-chat.fixture.ts';

export type { PermissionCase, Sample };

type Awaitable<T> = T | Promise<T>;

/** Creates the objects that a request of this caller needs, and returns a parameter. */
type SampleValue<T> = (chat: TestChat, caller: Person) => Awaitable<T>;

/** Servers on which tests cause every declared error and event. */
export interface ContractStage {
  /** A server with a push bouncer. */
  readonly chat: TestChat;
  /** A server without a push bouncer, with an upload quota of 0. */
  readonly withoutBouncer: TestChat;
  /** 16 members of `chat`. They, Iago and Hamlet are subscribed to the channel `crowd`. */
  readonly crowd: readonly Person[];
  readonly bouncer: {
    /** Sets the response of the bouncer to every later notification and question about one. */
    readonly answer: (status: number, body: object) => void;
    readonly stop: () => Promise<void>;
  };
}

/** Values and actions with which the generated tests exercise the contract of one resource. */
export interface ContractFixture {
  /**
   * By route: parameters with which every caller succeeds whom the contract permits the request, if
   * the smallest valid values are not. A draft, message, bot and the like is the caller's own;
   * channels and user groups are Desdemona's.
   */
  readonly samples?: Readonly<Record<string, SampleValue<Sample>>>;
  /** By parameter name: a value with which the caller succeeds at every endpoint. */
  readonly parameters?: Readonly<Record<string, SampleValue<string | number>>>;
  /** By route: parameters with which somebody without a login succeeds. */
  readonly spectators?: Readonly<Record<string, (chat: TestChat) => Awaitable<Sample>>>;
  /** By `POST /path ERROR_CODE` or `POST /path event other_event`: an action that causes it. */
  readonly declared?: Readonly<Record<string, (stage: ContractStage) => Promise<unknown>>>;
  /**
   * By title: an action after which, for every user and every capability, old state plus events must
   * equal new state. All actions share one chat: deactivate only users whom the action has added.
   */
  readonly changes?: Readonly<Record<string, (chat: TestChat) => Promise<unknown>>>;
}

/** The cases of all permissions, from the `permissions.fixture.ts` of all resources. */
export async function permissionCases(): Promise<PermissionCases> {
  const files = globSync('resources/*/permissions.fixture.ts', { cwd: import.meta.dirname });
  const modules = files.map((file) => import(new URL(file, import.meta.url).href));
  const cases = (await Promise.all(modules)).map(
    ({ permissions }: { permissions: PermissionCases }) => permissions,
  );
  return Object.assign({}, ...cases) as PermissionCases;
}

/** Merges the `contract.fixture.ts` of all resources. Throws if two have the same key. */
export async function contractFixtures(): Promise<Required<ContractFixture>> {
  const files = globSync('resources/*/contract.fixture.ts', { cwd: import.meta.dirname });
  const modules = files.map((file) => import(new URL(file, import.meta.url).href));
  const fixtures = (await Promise.all(modules)).map(
    ({ fixture }: { fixture: ContractFixture }) => fixture,
  );
  const merge = <K extends keyof ContractFixture>(part: K) => {
    const entries = fixtures.flatMap((fixture) => Object.entries(fixture[part] ?? {}));
    const merged = Object.fromEntries(entries);
    if (Object.keys(merged).length < entries.length)
      throw new Error(`Two contract fixtures have the same key in ${part}`);
    return merged as Required<ContractFixture>[K];
  };
  return {
    samples: merge('samples'),
    parameters: merge('parameters'),
    spectators: merge('spectators'),
    declared: merge('declared'),
    changes: merge('changes'),
  };
}
