import { readdirSync, readFileSync } from 'node:fs';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { Clock } from './clock.ts';
import { type Device, type PushSimulator, startSimulator } from './push-simulator.ts';
import { ScenarioPlayer } from './scenario-player.ts';
import { parseScenario, type ScenarioStep } from './scenario.ts';
import { openSession, ask } from './test-clients.fixture.ts';

let simulator: PushSimulator;
let phone: Device;
beforeAll(async () => {
  simulator = await startSimulator();
});
afterAll(() => simulator.stop());
beforeEach(() => {
  phone = simulator.addDevice({ kind: 'apns' });
});

const folder = new URL('../scenarios/', import.meta.url);
const examples = readdirSync(folder).map((file) => ({
  file,
  text: readFileSync(new URL(file, folder), 'utf8'),
}));

/** A player on the simulator's parts whose waits the test ends. */
function playerWithWaits() {
  const waits: { ms: number; over: () => void }[] = [];
  const clock = new Clock(Date.now);
  const { devices, faults, journal } = simulator;
  const player = new ScenarioPlayer({
    devices,
    faults,
    journal,
    clock,
    wait: (ms) => new Promise<void>((over) => waits.push({ ms, over })),
  });
  return { player, waits, clock };
}

function countRequests(count: number, provider = 'apns') {
  for (let nr = 0; nr < count; nr++)
    simulator.journal.record({
      time: 0,
      provider,
      method: 'POST',
      path: '/',
      headers: {},
      size: 0,
      body: '',
      token: null,
      cipher_id: null,
      status: 200,
      answer: '',
      outcome: 'delivered',
    });
}

/** The number of faults that are on after a step. */
const faultsAfter = (step: ScenarioStep, before: number) =>
  (step.clear ? 0 : before) + (step.set?.length ?? 0);

describe.each(examples)('scenarios/$file', ({ file, text }) => {
  test('plays every step to the end', async () => {
    simulator.faults.clear();
    for (let nr = 0; nr < 6; nr++) simulator.addDevice({ kind: 'fcm' });
    const scenario = parseScenario(text, file);
    const { player, waits, clock } = playerWithWaits();
    const { end } = player.play(scenario);
    let faults = 0;
    for (let round = 0; round < (scenario.repeat ?? 1); round++)
      for (const [at, step] of scenario.steps.entries()) {
        const gone = simulator.devices.list().filter((one) => one.uninstalled !== null).length;
        if (step.after_requests !== undefined) {
          countRequests(step.after_requests - 1, step.of);
          expect(player.status()?.done).toBe(round * scenario.steps.length + at);
          countRequests(1, step.of);
        }
        if (step.after_seconds !== undefined) {
          await expect.poll(() => waits.length).toBe(1);
          const wait = waits.pop();
          expect(wait?.ms).toBe(step.after_seconds * 1000);
          wait?.over();
        }
        await expect.poll(() => player.status()?.done).toBe(round * scenario.steps.length + at + 1);
        faults = faultsAfter(step, faults);
        expect(simulator.faults.list()).toHaveLength(faults);
        const goneNow = simulator.devices.list().filter((one) => one.uninstalled !== null).length;
        expect(goneNow).toBe(gone + (step.uninstall ?? 0));
        if (step.clock_seconds !== undefined)
          expect(clock.offset_ms).toBe(step.clock_seconds * 1000);
      }
    await end;
    expect(player.status()).toMatchObject({ name: scenario.name, running: false });
    simulator.faults.clear();
  });
});

describe('parseScenario names the place and the fault', () => {
  test.each([
    ['{', /^x\.json is not JSON: .*position 1/],
    ['{"name":"a","steps":[]}', /^x\.json: steps: Too small/],
    [
      '{"name":"a","steps":[{"after_seconds":1}]}',
      /^x\.json: steps\[0\]: does nothing: add one of/,
    ],
    ['{"name":"a","steps":[{"of":"apns","clear":true}]}', /^x\.json: steps\[0\]\.of: only counts/],
    [
      '{"name":"a","steps":[{"after_seconds":1,"after_requests":1,"clear":true}]}',
      /^x\.json: steps\[0\]\.after_seconds: cannot stand beside/,
    ],
    [
      '{"name":"a","steps":[{"set":[{"provider":"apns","fault":"earthquake"}]}]}',
      /^x\.json: steps\[0\]\.set\[0\]\.fault: expected one of goaway, .*"slow_ms"/,
    ],
    [
      '{"name":"a","steps":[{"clear":true,"wait":3}]}',
      /^x\.json: steps\[0\]: Unrecognized key: "wait"/,
    ],
  ])('%s', (text, message) => {
    expect(() => parseScenario(text, 'x.json')).toThrow(message);
  });
});

test('stop() ends a scenario, its faults and its clock', async () => {
  const { player, clock } = playerWithWaits();
  const { end } = player.play(
    parseScenario(
      '{"name":"a","steps":[{"set":[{"provider":"apns","fault":"silent"}],"clock_seconds":60},{"after_requests":9,"clear":true}]}',
      'a',
    ),
  );
  await expect.poll(() => player.status()?.done).toBe(1);
  expect(clock.offset_ms).toBe(60_000);
  expect(player.stop()).toBe(true);
  await end;
  expect(simulator.faults.list()).toEqual([]);
  expect(clock.offset_ms).toBe(0);
  expect(player.stop()).toBe(false);
});

test('a scenario counts the requests of real senders', async () => {
  const { end } = simulator.scenarios.play(
    parseScenario(
      '{"name":"a","steps":[{"after_requests":2,"set":[{"provider":"apns","fault":{"status":503,"reason":"Shutdown"}}]}]}',
      'a',
    ),
  );
  const session = await openSession(simulator.apns_url, simulator.ca);
  const send = () => ask(session, { ':path': `/3/device/${phone.token}` }, '{}');
  expect([(await send()).status, (await send()).status]).toEqual([403, 403]);
  await end;
  expect((await send()).status).toBe(503);
  session.destroy();
  simulator.faults.clear();
});
