/** The Dockerfile of a new project. `vendored`: its framework is in `vendor/`. */
export const dockerfile = (vendored: boolean) => `FROM node:24-slim
WORKDIR /bot
COPY package.json package-lock.json ./
${vendored ? 'COPY vendor/ vendor/\n' : ''}RUN npm ci --omit=dev --ignore-scripts
COPY . .
# What the bot remembers: mount a volume here, or give start() another store.
RUN install -d -o node .bellhop-bot
USER node
ENV HOST=0.0.0.0 PORT=8080
EXPOSE 8080
# Give it BOT_EMAIL, BOT_TOKEN, BOT_SITE and BOT_API_KEY: docker run --env-file .env
CMD ["node", "bot.ts"]
`;

export const dockerignore = 'node_modules/\n.git/\n.env*\n.bellhop*/\n';

/** The workflow of a new project for GitHub Actions; the three commands work in any CI. */
export const workflow = `name: test
on: [push, pull_request]
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 24
      - run: npm ci
      - run: npm run types
      - run: npm test
`;
