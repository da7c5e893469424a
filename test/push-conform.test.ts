import { readFileSync } from 'node:fs';

import { recordStatements } from '@bellhop/postgres/testing';
import { conformBouncer, conformServer, type Finding, sections } from '@bellhop/push-conform';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { checkStatements } from './support/check-statements.ts';
import { type PushStack, startPushStack } from './support/push-stack.ts';

/** For a machine that does other work too. */
const PATIENCE_MS = 40_000;

let stack: PushStack;
const statements = recordStatements();
beforeAll(async () => {
  stack = await startPushStack();
});
afterAll(async () => {
  statements[Symbol.dispose]();
  await stack[Symbol.asyncDispose]();
});

/** The findings that are not ok, as text. */
const complaints = (findings: readonly Finding[]) =>
  findings
    .filter(({ severity }) => severity !== 'ok')
    .map(({ severity, check, happened }) => `${severity}: ${check}: ${happened}`);

test('the Bellhop bouncer passes every check of push-conform', async () => {
  const findings = await conformBouncer(stack.bouncerUrl, {
    bouncerPublicKey: stack.bouncerPublicKey,
    simulator: stack.simulator,
    timeoutMs: PATIENCE_MS,
  });
  expect(complaints(findings)).toEqual([]);
  expect(findings.length).toBeGreaterThan(120);
});

test('the Bellhop server passes every check of push-conform', async () => {
  const [user, sender] = [
    await stack.chat.addPerson('Phoebe'),
    await stack.chat.addPerson('Sandro'),
  ];
  const findings = await conformServer(stack.chat.url, {
    user: [user.email, user.api_key],
    sender: [sender.email, sender.api_key],
    bouncerPublicKey: stack.bouncerPublicKey,
    simulator: stack.simulator,
    timeoutMs: PATIENCE_MS,
  });
  expect(complaints(findings)).toEqual([]);
  expect(findings.length).toBeGreaterThan(80);
  const { push_devices = {}, devices } = await user.client.queues.register({
    fetch_event_types: ['push_device', 'device'],
  });
  expect(Object.values(push_devices).filter(({ status }) => status === 'active')).toEqual([]);
  expect(devices).toEqual({});
});

test('every statement about phones and pushes of the server reads and writes tables of one given realm', async () => {
  const { checked, refused } = await checkStatements(statements, stack.chat.server.app.db.kysely);
  expect(checked).toBeGreaterThan(80);
  expect(refused).toEqual([]);
});

test.each(sections)('docs/push/protocol.md has the section "%s"', (section) => {
  const page = readFileSync(new URL('../docs/push/protocol.md', import.meta.url), 'utf8');
  expect(page).toMatch(new RegExp(`^##+ ${section}$`, 'm'));
});
