import { test } from 'vitest';

import { hasPrograms, INSTALL, runCluster, summaryOf } from '../cluster/run-cluster.ts';
import { crashTest } from './crash-test.fixture.ts';

const SECONDS = 120;

if (await hasPrograms())
  crashTest(`faults of a database cluster and of its nodes for ${SECONDS} s`, async () => {
    const result = await runCluster({
      seconds: SECONDS,
      nodes: 2,
      seed: Math.floor(Math.random() * 1e9),
      isSynchronous: true,
      log: (line) => console.log(line),
    });
    const { lost, doubled, disordered, leaked, acknowledgedKeys } = result.verdict;
    return {
      acknowledged: acknowledgedKeys,
      lost: [...lost, ...disordered, ...leaked],
      doubled,
      figures: [summaryOf(result)],
    };
  });
else test.skip(INSTALL, () => {});
