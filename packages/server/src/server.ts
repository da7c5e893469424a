import type { RequestListener } from 'node:http';

import { CONSOLE_PATH, serveConsole } from '@bellhop/console';
import {
  type Exchange,
  metricsPage,
  rateLimit,
  type Receive,
  RunningOperations,
  serveContract,
  serveDownloads,
  serveForms,
} from '@bellhop/http';
import { type RunningJobs, startJobs } from '@bellhop/jobs';
import { asApiError, type Database, watchDatabase } from '@bellhop/postgres';
import {
  api,
  ApiError,
  badRequest,
  type Endpoint,
  parseParams,
  publicAnswer,
} from '@bellhop/protocol';
import type { Logger } from 'pino';

import { closeServices, createServices } from './app-services.ts';
import type { Config } from './config.ts';
import { addressLimit, sharedRules } from './engine/address-limit.ts';
import type { JobApp, Observer } from './engine/app.ts';
import { authenticate } from './engine/authenticate.ts';
import type { Caller } from './engine/caller.ts';
import { openChanges } from './engine/change.ts';
import { consoleRequest } from './engine/console-request.ts';
import { eventEpoch } from './engine/event-log.ts';
import { EventQueues } from './engine/event-queues.ts';
import { handlersByEndpoint, perform } from './engine/handlers.ts';
import { initialState, sectionReaders } from './engine/initial-state.ts';
import { loginLimit } from './engine/login-limit.ts';
import { secretsOf, WrongSecretError } from './engine/secrets.ts';
import type { Tables } from './engine/tables.ts';
import { WriteBatcher } from './engine/write-batcher.ts';
import { fileApiError } from './files/file-store.ts';
import type { PageApp } from './form-page.ts';
import { measureJobs } from './job-metrics.ts';
import type { Mailer } from './mail/mailer.ts';
import { createMetrics } from './metrics.ts';
import { userOfConsole } from './model/console-sessions/find-session.ts';
import { CONFIRM_EMAIL_PATH } from './model/email-changes/email-change-mails.ts';
import { findMailPage } from './model/mails/find-mail-page.ts';
import { MAIL_PAGES_PATH } from './model/mails/mail-ticket.ts';
import { RESET_PASSWORD_PATH } from './model/password-resets/reset-link.ts';
import { renumberPresences } from './model/presence/queries.ts';
import { findDownload } from './model/uploads/find-download.ts';
import { requireFiles } from './model/uploads/require-files.ts';
import { knownUsers } from './model/users/known-users.ts';
import { renumberAvatars } from './model/users/queries.ts';
import { requireSecret } from './model/users/require-secret.ts';
import { AVATARS_PATH } from './model/users/user-record.ts';
import { pages } from './pages.ts';
import { findPublicImage } from './public-images.ts';
import { handlers as implementations, jobs, presenters, resources } from './resources.ts';
import { announceSoon } from './resources/devices/announce-realms.ts';
import { confirmEmailPage } from './resources/email-changes/confirm-email-page.ts';
import { JOIN_PATH, joinPage, SIGN_UP_PATH, signUpPage } from './resources/invites/join-page.ts';
import {
  FORGOT_PASSWORD_PATH,
  forgotPasswordPage,
  resetPasswordPage,
} from './resources/password-resets/password-reset-pages.ts';
import { findRealms } from './resources/realms/find-realms.ts';
import { limitedGuests } from './resources/user-events/limited-guests.ts';

export type { AppServices } from './app-services.ts';
export { type Config, readConfig, variables } from './config.ts';
export { WrongSecretError } from './engine/secrets.ts';
export { FileStoreFault } from './files/file-store.ts';
export type { ClientOf } from '@bellhop/client';
export type { Exchange } from '@bellhop/http';
export type { Outbound } from '@bellhop/http/outbound';
export type { RunningJobs } from '@bellhop/jobs';
export type { Database } from '@bellhop/postgres';
export type {
  AnswerOf,
  Api,
  AskOf,
  Bouncer,
  BouncerV1,
  Endpoint,
  InitialState,
  ParamsOf,
} from '@bellhop/protocol';
export type { DeliveryMetrics, EndedAttempt } from './delivery-metrics.ts';
export type { DeliveredEvent } from './engine/add-event.ts';
export type { AddressLimit, LookUp } from './engine/address-limit.ts';
export type { App, JobApp, Observer, Realms, StateRequest, Users } from './engine/app.ts';
export type { ChangeOptions, Db } from './engine/call.ts';
export type { Caller } from './engine/caller.ts';
export type { EventQueues, Owner, Poll, QueueOptions } from './engine/event-queues.ts';
export type { LoginAttempt, LoginLimit } from './engine/login-limit.ts';
export type { Presentation } from './engine/present-events.ts';
export type { Presenter, Presenters, Reader, StoredEvent } from './engine/stored-event.ts';
export type {
  AddedRequest,
  BatchedWrite,
  OpenChange,
  OpenedRequest,
  WriteBatcher,
} from './engine/write-batcher.ts';
export type { PageApp, Visitor } from './form-page.ts';
export type { ImageType } from './images/image-type.ts';
export type { ImageFile, Images } from './images/images.ts';
export type { ImageSource, RenderedImage, Rendition, ResizedImage } from './images/rendition.ts';
export type { Mail } from './mail/mail.ts';
export type { Mailer, OutgoingMail } from './mail/mailer.ts';
export type * from './exported-types.ts';

export interface ServerOptions {
  readonly config: Config;
  readonly db: Database<Tables>;
  readonly log: Logger;
  /** UNIX time in milliseconds. */
  readonly nowMs?: () => number;
  /** Interval at which workers look for jobs without a notification. Default 1000. */
  readonly jobPollMs?: number;
  /** How long to cache users by API key. Default 1000; must be the same on all nodes. */
  readonly keepUsersMs?: number;
  readonly observer?: Observer;
  /** Default: the mailer of the configuration. */
  readonly mailer?: Mailer;
}
export interface Server {
  readonly app: JobApp;
  readonly perform: PageApp['perform'];
  /** The background jobs that this node runs. */
  readonly jobs: RunningJobs;
  /** Serves the API below /api/v1, uploaded files, avatars, custom emoji, documentation and health checks. */
  readonly listener: RequestListener;
  /**
   * The caller of a request to an endpoint with this access. Throws the error of the API for other
   * callers.
   */
  readonly admit: (endpoint: Endpoint, exchange: Exchange) => Promise<Caller>;
  /** Serves /metrics, for an address that only the operator reaches. */
  readonly metrics: RequestListener;
  /** From now on `/readyz` answers 503: a proxy sends new requests elsewhere. */
  readonly leave: () => void;
  /** Waits a few seconds for the jobs and operations under way, which need the database. */
  readonly stop: () => Promise<void>;
}

/** How long a stop waits for operations, in milliseconds: as long as for jobs. */
const STOP_MS = 5_000;

/**
 * Creates a server on an open, migrated database. The caller makes it listen. Throws a
 * WrongSecretError if the database belongs to another secret, a FileStoreFault if its files cannot be
 * stored or read as they are configured.
 */
export async function createServer({
  config,
  db,
  log,
  nowMs = Date.now,
  jobPollMs = 1000,
  keepUsersMs,
  observer,
  mailer,
}: ServerOptions): Promise<Server> {
  const now = () => Math.floor(nowMs() / 1000);
  await using parts = new AsyncDisposableStack();
  const services = await createServices(config, mailer);
  parts.defer(() => closeServices(services));
  const onError = (error: unknown) => log.error({ err: error }, 'background work failed');
  const handlers = handlersByEndpoint(api, implementations);
  const handlerOf = (endpoint: Parameters<typeof handlers.get>[0]) => {
    const handler = handlers.get(endpoint);
    if (!handler) throw new Error(`No handler implements ${endpoint.route}`);
    return { endpoint, handler };
  };
  const secrets = secretsOf(config.secret);
  const realms = await findRealms(db, config);
  parts.defer(realms.stop);
  const queues = new EventQueues({
    db,
    presenters: presenters(secrets),
    shownToGuest: limitedGuests(db.kysely, realms.byId),
    onError,
  });
  parts.defer(() => queues.stop());
  const watch = await watchDatabase(db, {
    statements: {
      ...eventEpoch,
      begun: (jump) => [...eventEpoch.begun(jump), renumberPresences(jump), renumberAvatars(jump)],
    },
    onEpoch: () => queues.restart(),
    now: nowMs,
    log,
    onError,
  });
  parts.defer(watch.stop);
  await requireSecret(db.kysely, secrets);
  await requireFiles({ db: db.kysely, files: services.files, log });
  const users = await knownUsers(db, {
    ...secrets,
    ...(keepUsersMs === undefined ? {} : { keepMs: keepUsersMs }),
  });
  parts.defer(users.stop);
  const readers = sectionReaders(resources);
  const app: JobApp = {
    ...services,
    db,
    log,
    nowMs,
    now,
    observer,
    secrets,
    queues,
    realms,
    users,
    writeBatcher: new WriteBatcher(),
    loginLimit: loginLimit(config.rateLimits.login),
    addressLimit: addressLimit(rateLimit(config.rateLimits.ip)),
    ...openChanges({ db, queues, users, nowMs }),
    initialState: (request) => initialState(app, readers, request),
  };
  const pageApp: PageApp = {
    ...app,
    perform: async (endpoint, params, as) =>
      (await perform(app, handlerOf(endpoint), {
        ...as,
        reads_public_names: false,
        params: parseParams(endpoint, params),
        ip: as.ip ?? '',
        signal: () => AbortSignal.timeout(60_000),
        receive: receiveNoFile,
        consoleRequest: noConsole,
        file: undefined,
      })) as never,
  };
  const metrics = createMetrics(api, { queues: app.queues, db, watch });
  const admit = authenticate({
    realms: app.realms,
    publicClients: config.publicClients,
    userByKey: users.byKey,
    userByNameAndKey: users.byNameAndKey,
    userOfConsole: userOfConsole({ db: db.kysely, now }),
    userLimit: rateLimit(config.rateLimits.user),
    addressLimit: app.addressLimit,
    sharedAddressLimit: addressLimit(rateLimit(sharedRules(config.rateLimits.ip))),
  });
  const ownOrigin = async (exchange: Exchange) =>
    (await app.realms.atHost(exchange.host, app.addressLimit.lookUpFor(exchange))).url;
  const operations = new RunningOperations();
  const contract = serveContract(api, {
    prefix: '/api/v1',
    behindProxy: config.behindProxy,
    ownOrigin,
    admit,
    perform: ({ endpoint, params, caller, exchange, receive, file }) => {
      const answer = operations.track(
        perform(app, handlerOf(endpoint), {
          ...caller,
          params,
          ip: exchange.ip,
          signal: exchange.signal,
          receive,
          consoleRequest: () => consoleRequest(exchange, caller.realm),
          file,
        }),
      );
      const named = caller.reads_public_names ? publicAnswer(endpoint.route) : undefined;
      return named ? answer.then(named) : answer;
    },
    onError: (error, { method, path }) => log.error({ err: error, method, path }, 'request failed'),
    toApiError,
    onAnswer: metrics.answered,
  });
  const { behindProxy } = config;
  const files = serveDownloads({
    behindProxy,
    find: findDownload(app, admit),
    onError: (error, { path }) => log.error({ err: error, path }, 'download failed'),
    toApiError,
  });
  const formAt = (respond: Parameters<typeof serveForms>[0]['respond']) =>
    serveForms({
      behindProxy,
      ownOrigin,
      respond,
      // The path holds a secret.
      onError: (error) => log.error({ err: error }, 'the page of a link in a mail failed'),
      toApiError,
    });
  const join = formAt(joinPage(pageApp));
  const signUp = formAt(signUpPage(pageApp));
  const confirmEmail = formAt(confirmEmailPage(pageApp));
  const forgotPassword = formAt(forgotPasswordPage(pageApp));
  const resetPassword = formAt(resetPasswordPage(pageApp));
  const publicImages = serveDownloads({
    behindProxy,
    find: findPublicImage(app),
    onError: (error, { path }) => log.error({ err: error, path }, 'image failed'),
    toApiError,
  });
  const mailPages = serveDownloads({
    behindProxy,
    find: findMailPage(app),
    // The path holds a secret.
    onError: (error) => log.error({ err: error }, 'the page of a mail failed'),
    toApiError,
  });
  const console = serveConsole('index', { sendsMails: config.mail.smtp !== undefined });
  let isLeaving = false;
  const site = pages({
    db,
    behindProxy,
    limit: app.addressLimit.count,
    log,
    secrets,
    watch,
    isLeaving: () => isLeaving,
  });
  await app.queues.start();
  if (app.bouncer) await announceSoon(app);
  const work = jobs(config);
  const running = await startJobs({
    database: db,
    jobs: work,
    context: app,
    concurrency: concurrencyByLane,
    pollMs: jobPollMs,
    log: (message, error) => log.error({ err: error }, message),
  });
  parts.defer(async () => {
    await Promise.all([running.stop(), operations.ended(STOP_MS)]);
  });
  app.deliveryMetrics.registerIn(metrics.registry);
  const names = work.map(({ name }) => name);
  measureJobs(metrics.registry, { names, statistics: () => running.statistics() });
  const started = parts.move();
  return {
    app,
    perform: pageApp.perform,
    jobs: running,
    // The API does not pass through Express, which takes longer than many requests.
    listener: (request, response) => {
      // Clients also find the avatars of users outside of the API.
      if (request.url?.startsWith('/avatar/')) request.url = `/api/v1${request.url}`;
      if (request.url?.startsWith('/api/v1')) contract(request, response);
      else if (request.url?.startsWith('/user_uploads/')) files(request, response);
      else if (request.url?.startsWith(AVATARS_PATH)) publicImages(request, response);
      else if (request.url?.startsWith(JOIN_PATH)) join(request, response);
      else if (SIGN_UP_PATH.test(request.url ?? '')) signUp(request, response);
      else if (request.url?.startsWith(CONFIRM_EMAIL_PATH)) confirmEmail(request, response);
      else if (FORGOT_PASSWORD_PATH.test(request.url ?? '')) forgotPassword(request, response);
      else if (request.url?.startsWith(RESET_PASSWORD_PATH)) resetPassword(request, response);
      else if (request.url?.startsWith(MAIL_PAGES_PATH)) mailPages(request, response);
      else if (request.url?.startsWith(CONSOLE_PATH)) console(request, response);
      else site(request, response);
    },
    admit,
    metrics: metricsPage(metrics.registry),
    leave: () => (isLeaving = true),
    stop: async () => {
      // Ends the polls, which are operations that would be waited for.
      queues.stop();
      await started.disposeAsync();
    },
  };
}

/**
 * Concurrent jobs by lane. Webhooks mostly wait: many cost little, and a few that hang block only a
 * few slots. Images are decoded one at a time anyway; the slots are for four people to take turns.
 */
const concurrencyByLane = { default: 16, images: 4, mail: 4, webhooks: 64 };

/** Operations that the server performs itself have no uploaded file. */
const receiveNoFile: Receive = () => {
  throw badRequest('You must specify a file to upload');
};

/** Operations that the server performs itself come from no page. */
const noConsole = () => {
  throw new ApiError('CSRF_FAILED');
};

/** A secret that cannot be opened is no fault of the caller: the data of another server was restored. */
const toApiError = (error: unknown): unknown =>
  error instanceof WrongSecretError
    ? new ApiError('SERVICE_UNAVAILABLE', {
        message: 'This server cannot use the keys of its database. Tell its operator.',
        cause: error,
      })
    : fileApiError(asApiError(error));
