import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { type BotOptions, createBot, start } from '@bellhop/bot';

type Deploy = (env: 'staging' | 'prod', ref: string) => Promise<void>;

/** Runs the script that deploys, and fails as it does. */
const byScript: Deploy = async (env, ref) => {
  await promisify(execFile)('./deploy.sh', [env, ref]);
};

/** Deploys for those who may, and asks before it touches production. */
export default function makeBot(options: BotOptions, deploy = byScript) {
  return createBot(options)
    .command(
      'deploy <env:staging|prod> [ref=main] [--dry-run/-n]',
      {
        about: 'Bring a version to the servers',
        aliases: ['ship'],
        args: { ref: 'a branch, a tag or a commit', dryRun: 'only say what would be done' },
        examples: ['deploy staging', 'deploy prod v2.1'],
        allow: 'moderator',
        confirm: ({ env, ref, dryRun }) => env === 'prod' && !dryRun && `Deploy ${ref} to prod?`,
      },
      async (ctx) => {
        const { env, ref, dryRun } = ctx.args;
        if (dryRun) return `I would deploy ${ref} to ${env}.`;
        await ctx.reply(`Deploying ${ref} to ${env} …`);
        await deploy(env, ref);
        return `${ref} is on ${env}.`;
      },
    )
    .catch(
      ({ reference }) =>
        `That failed, and the servers are as they were. Ask in #**ops**, and name ${reference}.`,
    );
}

if (import.meta.main) await start(makeBot);
