import { type ClientOf, createClientFor } from '@bellhop/client';
import {
  type BouncerOperator,
  bouncerOperator,
  CONSOLE_HEADER,
  OPERATOR_PREFIX,
  SANDBOX_OPERATOR_PREFIX,
} from '@bellhop/protocol';
import { signal } from '@preact/signals';

import { consoleFetch } from '../session/console-fetch.ts';

export type OperatorClient = ClientOf<BouncerOperator>;

/** The operator of the sandbox's bouncer: the sandbox signs its administrators in. */
export const sandboxOperator = (user_id: number): OperatorClient =>
  createClientFor(bouncerOperator, {
    url: location.origin,
    prefix: SANDBOX_OPERATOR_PREFIX,
    fetch: consoleFetch(user_id),
  });

const STORED = 'bellhop-operator-key';
/** The page's half of the operator's session; null without one. The cookie is the other half. */
export const operatorKey = signal(sessionStorage.getItem(STORED));

function keep(key: string | null): void {
  if (key === null) sessionStorage.removeItem(STORED);
  else sessionStorage.setItem(STORED, key);
  operatorKey.value = key;
}

/** The operator of the bouncer that served this page. */
export const ownOperator: OperatorClient = createClientFor(bouncerOperator, {
  url: location.origin,
  prefix: OPERATOR_PREFIX,
  fetch: async (input, init = {}) => {
    const headers = new Headers(init.headers);
    headers.delete('user-agent');
    if (operatorKey.value !== null) headers.set(CONSOLE_HEADER, operatorKey.value);
    const answer = await fetch(input, { ...init, headers, cache: 'no-store' });
    // The session has ended, or the operator token is another one.
    if (answer.status === 401) keep(null);
    return answer;
  },
});

export async function signInOperator(token: string): Promise<void> {
  keep((await ownOperator.session.signIn({ token })).console_key);
}

export const signOutOperator = (): void => keep(null);
