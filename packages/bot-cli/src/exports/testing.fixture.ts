export { type BotProject, botProject } from '../bot/bot-project.fixture.ts';
export { runMain } from '../run-main.fixture.ts';
