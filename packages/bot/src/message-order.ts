/**
 * How messages of one conversation that arrive during a running handler are treated. `queue`: they
 * wait. `latest`: the signal of the running handler is aborted, its reply is dropped, and waiting
 * messages are dropped. `parallel`: the handlers run at the same time.
 */
export type Order = 'queue' | 'latest' | 'parallel';
