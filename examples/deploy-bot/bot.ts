import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { type BotOptions, createBot, start } from '@bellhop/bot';

type Deploy = (env: 'staging' | 'prod', ref: string) => Promise<void>;

/** Runs `deploy.sh`. Throws if the script fails. */
const byScript: Deploy = async (env, ref) => {
  await promisify(execFile)('./deploy.sh', [env, ref]);
};

/** Deploys a version for moderators. Asks for confirmation before it deploys to production. */
export default function makeBot(options: BotOptions, deploy = byScript) {
  return createBot(options)
    .command(
      'deploy <env:staging|prod> [ref=main] [--dry-run/-n]',
      {
        about: 'Deploy a version',
        aliases: ['ship'],
        args: { ref: 'a branch, a tag or a commit', dryRun: 'show what would be deployed' },
        examples: ['deploy staging', 'deploy prod v2.1'],
        allow: 'moderator',
        confirm: ({ args }) => args.env === 'prod' && !args.dryRun && `Deploy ${args.ref} to prod?`,
      },
      async (ctx) => {
        const { env, ref, dryRun } = ctx.args;
        if (dryRun) return `I would deploy ${ref} to ${env}.`;
        await ctx.reply(`Deploying ${ref} to ${env} …`);
        await deploy(env, ref);
        return `${ref} is on ${env}.`;
      },
    )
    .catch(({ reference }) => `The deployment failed. Ask in #**ops** and name ${reference}.`);
}

if (import.meta.main) await start(makeBot);
