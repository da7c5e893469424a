import { crashTest } from './crash-test.fixture.ts';
import { harmBot } from './harm-bot.fixture.ts';

const CYCLES = Number(process.env['BELLHOP_CRASH_CYCLES'] ?? 10);

for (const [where, transport] of [
  ['behind a webhook', 'webhook'],
  ['on the event queue', 'queue'],
] as const)
  crashTest(
    `${CYCLES} SIGKILLs, rolling restarts and store failures of two processes of a bot ${where}`,
    () => harmBot({ transport, cycles: CYCLES, topics: 4, speed: 1, random: Math.random }),
  );
