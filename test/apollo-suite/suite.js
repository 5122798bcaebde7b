import { ApolloServer } from '@apollo/server';
import { defineIntegrationTestSuite } from '@apollo/server-integration-testsuite';
import { pino } from 'pino';
import { MemoryShare } from '../../packages/base/memory-budget.ts';
import { mediaTypeOf } from '../../packages/graphql-serve/http/body.ts';
import { ConcurrencyLimit } from '../../packages/graphql-serve/http/concurrency-limit.ts';
import { graphqlEndpoint } from '../../packages/graphql-serve/http/graphql-endpoint.ts';
import { listen } from '../../packages/graphql-serve/http/listen.ts';
import { send } from '../../packages/graphql-serve/http/response.ts';
import { UntakenAnswers } from '../../packages/graphql-serve/http/untaken-answers.ts';
import { executeHttp, headerMapOf } from '../../packages/graphql-serve/operations/apollo.ts';
import { prefersPage } from '../../packages/graphql-serve/request/accept.ts';
import { Traffic } from '../../packages/graphql-serve/watch/traffic.ts';
import { readConfig } from '../../src/config.ts';
import { serviceContract } from '../../src/service-contract.ts';

const config = readConfig({ HOST: '127.0.0.1', PORT: '0' });

/** The gateway answers these with 415, as HTTP says, but the suite wants what Apollo Server says by itself: 400. */
function isOfOtherType(request) {
  return request.method === 'POST' && !['', 'application/json'].includes(mediaTypeOf(request));
}

/** The HTTP layer of the gateway around a server of the suite's making. */
async function startServer(options, { context = async () => ({}) } = {}) {
  const server = new ApolloServer(options);
  await server.start();

  async function run(request, response, _current, { body } = {}) {
    const { method, url, headers } = request;
    const { search } = new URL(url, 'http://localhost');
    const result = await executeHttp(server, { method, search, headers: headerMapOf(headers), body }, context);
    send(response, result.status, Object.fromEntries(result.headers), result.body);
  }
  const traffic = new Traffic();
  const { clients, uploads } = config.limits;
  const clientBodies = new MemoryShare(clients.bodiesBytes);
  const spooledFiles = new MemoryShare(uploads.spooledBytes);
  const operations = new ConcurrencyLimit(config.limits.operations);
  const callerOf = () => ({ share: 'the one caller' });
  const logger = pino({ level: 'silent' });
  const others = { untilRead: () => undefined };
  const graph = { keyHeader: serviceContract.keyHeader };
  const spans = () => undefined;
  const documents = { resolve: (asked) => asked };
  const host = { settings: config, graph, callerOf, documents, operations, logger, traffic, spans };
  const { handle: graphql } = graphqlEndpoint({ ...host, run, formats: [], others, clientBodies, spooledFiles });
  // A browser gets the page of the suite's server; the gateway shows GraphiQL there.
  const isLeftToServer = (request) =>
    isOfOtherType(request) || (request.method === 'GET' && prefersPage(request.headers.accept));

  const http = await listen({
    settings: config,
    graph,
    answers: new UntakenAnswers(new MemoryShare(clients.answersBytes), clients),
    logger,
    refusalOf: () => undefined,
    formatError: (error) => error,
    handle: (request, response, current) =>
      isLeftToServer(request) ? run(request, response) : graphql(request, response, current),
    traffic,
  });
  return { server, url: `http://127.0.0.1:${http.port}`, extraCleanup: () => http.close({ delayMs: 0, timeoutMs: 0 }) };
}

defineIntegrationTestSuite(startServer, { noIncrementalDelivery: true });
