/** The Dockerfile of a new project. `vendored`: its framework is in `vendor/`. */
export const dockerfile = (vendored: boolean) => `FROM node:24-slim AS install
WORKDIR /bot
COPY package.json package-lock.json ./
${vendored ? 'COPY vendor/ vendor/\n' : ''}# Without --omit=optional npm also installs zod, which only the types need. If a package of yours needs its
# optional packages, as sharp does, take it out.
RUN npm ci --omit=dev --omit=optional --ignore-scripts
COPY . .
${vendored ? 'RUN rm -r vendor\n' : ''}
FROM node:24-slim
WORKDIR /bot
COPY --from=install /bot ./
# What the bot remembers: mount a volume here, or give start() another store.
RUN install -d -o node .bellhop-bot
USER node
ENV HOST=0.0.0.0 PORT=8080
EXPOSE 8080
# Give it BOT_EMAIL, BOT_TOKEN, BOT_SITE and BOT_API_KEY: docker run --env-file .env
CMD ["node", "bot.ts"]
`;

/** What the program does not need. */
export const dockerignore = `node_modules/
.git/
.github/
.env*
.bellhop*/
**/*.test.ts
.dockerignore
.gitignore
Dockerfile
README.md
tsconfig.json
`;

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
