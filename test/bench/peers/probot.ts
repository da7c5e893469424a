import { createHmac } from 'node:crypto';

import { type App, padded } from '../dispatch/app.ts';

const secret = 'a secret of the webhook';

/** A comment. GitHub takes no reply in the response, so the framework responds. */
export const app: App = {
  name: 'Probot',
  request(n, genuine) {
    const body = padded((padding) => JSON.stringify(comment(n, padding)));
    const signature = createHmac('sha256', genuine ? secret : 'another secret').update(body);
    const headers = {
      'content-type': 'application/json',
      'x-github-delivery': String(n),
      'x-github-event': 'issue_comment',
      'x-hub-signature-256': `sha256=${signature.digest('hex')}`,
    };
    return { headers, body };
  },
  async serve(handled) {
    const { createNodeMiddleware, Probot } = await import('probot');
    const probot = new Probot({ githubToken: 'unused', secret, logLevel: 'fatal' });
    const install = () => probot.on('issue_comment.created', () => handled());
    const listen = await createNodeMiddleware(install as () => void, {
      probot,
      webhooksPath: '/',
    });
    return {
      listener: (request, response) => void listen(request, response),
      inProcess(n) {
        const payload = comment(n, '');
        const event = { id: String(n), name: 'issue_comment', payload };
        return () => probot.receive(event as unknown as Parameters<typeof probot.receive>[0]);
      },
    };
  },
};

const comment = (n: number, padding: string) => ({
  action: 'created',
  issue: { id: 5, number: 5, title: 'Release', user: { login: 'iago', id: 7 } },
  comment: { id: 1_000_001 + n, body: 'deploy main', user: { login: 'iago', id: 7 } },
  repository: { id: 3, name: 'ops', full_name: 'chat/ops', owner: { login: 'chat', id: 1 } },
  sender: { login: 'iago', id: 7, avatar_url: `https://chat.test/${padding}` },
});
