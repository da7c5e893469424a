import { createHmac } from 'node:crypto';

import { type App as BenchApp, padded } from '../dispatch/app.ts';

const secret = '8f742231b10e8888abcd99yyyzzz85a5';
const wrong = 'another secret';

/** A slash command, answered in the response by the faster of Bolt's two receivers. */
export const app: BenchApp = {
  name: '@slack/bolt',
  request(n, genuine) {
    const body = padded((padding) => new URLSearchParams(command(n, padding)).toString());
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', genuine ? secret : wrong)
      .update(`v0:${timestamp}:${body}`)
      .digest('hex');
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${signature}`,
    };
    return { headers, body };
  },
  async serve(handled) {
    const { App, HTTPReceiver, LogLevel } = await import('@slack/bolt');
    const logLevel = LogLevel.ERROR;
    const receiver = new HTTPReceiver({ signingSecret: secret, endpoints: '/', logLevel });
    const authorize = async () => ({ botToken: 'xoxb-1', botId: 'B1', botUserId: 'U1' });
    const slack = new App({ receiver, authorize, logLevel });
    slack.command('/deploy', async ({ ack, command: { text } }) => {
      handled();
      await ack(`Deployed ${text.length}`);
    });
    return {
      listener: receiver.requestListener,
      inProcess: (n) => () =>
        new Promise((resolve, reject) => {
          const ack = async (answer: unknown) => resolve(answer);
          slack.processEvent({ body: command(n, ''), ack }).catch(reject);
        }),
    };
  },
};

const command = (n: number, padding: string) => ({
  token: 'unused',
  team_id: 'T1',
  team_domain: 'chat',
  channel_id: `C${n % 200}`,
  channel_name: 'ops',
  user_id: 'U7',
  user_name: 'iago',
  command: '/deploy',
  text: 'main',
  api_app_id: 'A1',
  is_enterprise_install: 'false',
  response_url: `https://hooks.chat.test/${padding}`,
  trigger_id: String(n),
});
