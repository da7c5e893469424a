import { globSync } from 'node:fs';

import type { Person, TestChat } from './test-chat.fixture.ts';

/** Parameters as they travel: text by name, path variables among them. */
export type Sample = Record<string, string>;
type Awaitable<T> = T | Promise<T>;

/** Servers on which every declared error and event can be brought about. */
export interface ContractStage {
  /** Has a push bouncer. */
  readonly chat: TestChat;
  /** Has no push bouncer, and no room for uploads. */
  readonly withoutBouncer: TestChat;
  /** 16 members of `chat`, subscribed to the channel `crowd`, as are Iago and Hamlet. */
  readonly crowd: readonly Person[];
  readonly bouncer: {
    /** The bouncer's answer to every notification from now on. */
    readonly answer: (status: number, body: object) => void;
    readonly stop: () => Promise<void>;
  };
}

/** How the generated tests exercise the contract of one resource. */
export interface ContractFixture {
  /** By route: parameters that succeed, where the smallest value of each required one does not. */
  readonly samples?: Readonly<Record<string, (chat: TestChat) => Awaitable<Sample>>>;
  /** By the name of a parameter: a value that the owner of the chat may use, in every endpoint. */
  readonly parameters?: Readonly<Record<string, (chat: TestChat) => Awaitable<string | number>>>;
  /** By `POST /path ERROR_CODE` or `POST /path event other_event`: what brings it about. */
  readonly declared?: Readonly<Record<string, (stage: ContractStage) => Promise<unknown>>>;
  /** By title: what somebody does, for which the events must explain everybody's state. */
  readonly changes?: Readonly<Record<string, (chat: TestChat) => Promise<unknown>>>;
}

/** What the `contract.fixture.ts` of every resource holds. Throws if two hold the same key. */
export async function contractFixtures(): Promise<Required<ContractFixture>> {
  const files = globSync('resources/*/contract.fixture.ts', { cwd: import.meta.dirname });
  const modules = files.map((file) => import(new URL(file, import.meta.url).href));
  const fixtures = (await Promise.all(modules)).map(
    ({ fixture }: { fixture: ContractFixture }) => fixture,
  );
  const all = <K extends keyof ContractFixture>(part: K) => {
    const entries = fixtures.flatMap((fixture) => Object.entries(fixture[part] ?? {}));
    const merged = Object.fromEntries(entries);
    if (Object.keys(merged).length < entries.length)
      throw new Error(`Two contract fixtures have the same key in ${part}`);
    return merged as Required<ContractFixture>[K];
  };
  return {
    samples: all('samples'),
    parameters: all('parameters'),
    declared: all('declared'),
    changes: all('changes'),
  };
}
