import {
  type Caller,
  Deadlines,
  type ExecutionArgs,
  execute,
  type FieldTree,
  hasVariables,
  histogram,
  MemoryShare,
  type MemoryUse,
  type Metric,
  sizeBuckets,
  type WriteRecordStore,
} from '@gateway/base';
import { defaultUpstream, Upstream, type UpstreamOptions } from '@gateway/upstream';
import type { ExecutionResult, GraphQLSchema } from 'graphql';
import { executableSchema, requireAnswers, type SchemaPart } from './graph/schema.ts';
import { serviceMetrics } from './metrics.ts';
import { callsService, planOperation, planRoots, requireFits } from './plan/operation-plan.ts';
import type { App } from './request/app.ts';
import { type ContextOptions, type OperationLimits, RequestContext, type Service } from './request/context.ts';
import type { Estimate } from './request/upstream-report.ts';

export interface ServiceOptions {
  upstream: Omit<UpstreamOptions, 'contract' | 'bodyLimits' | 'sends'> & {
    /** The most bytes of one answer of the service, and of all that are being read. */
    answerBytes: number;
    answersBytes: number;
  };
  limits: OperationLimits & {
    timeoutMs: number;
    /** For all operations that run. */
    memoryBytes: number;
  };
  /** The settings of the app's own code. */
  settings?: object;
  /** The records of writes under keys. Without them no write has a key. */
  records?: WriteRecordStore;
  /** Fields beside those of the app. */
  parts?: readonly SchemaPart[];
}

type Defaults = Pick<ServiceOptions, 'limits'> & { upstream: Omit<ServiceOptions['upstream'], 'url'> };

const MiB = 2 ** 20;

/** Options for a process with 1 GiB of memory and a core of its own. The service adds its URL and the records of its writes. */
export const defaultOptions: Defaults = {
  upstream: { ...defaultUpstream, answerBytes: 8 * MiB, answersBytes: 128 * MiB },
  limits: {
    timeoutMs: 25_000,
    pageSize: 1_000,
    upstreamCalls: 500,
    cost: 50_000,
    objects: 100_000,
    answerBytes: 32 * MiB,
    memoryBytes: 256 * MiB,
  },
};

const noRecords: WriteRecordStore = {
  under() {
    throw new Error('A write has a key, and the service was opened without `records`.');
  },
};

/** A REST service as a graph. Its schema makes no call. */
export class RestService implements Service {
  readonly app: App;
  readonly schema: GraphQLSchema;
  readonly upstream: Upstream;
  readonly batches = histogram('batch_size', 'Keys that were loaded together, by loader.', ['loader'], sizeBuckets);
  readonly records: WriteRecordStore;
  readonly settings: object;
  readonly limits: OperationLimits;
  readonly memory: MemoryShare;
  readonly deadlines: Deadlines;
  readonly metrics: readonly Metric[];
  /** Users of memory, by their names in metrics. */
  readonly memoryUses: Readonly<Record<string, MemoryUse>>;

  constructor(app: App, { upstream, limits, settings = {}, records = noRecords, parts }: ServiceOptions) {
    const answers = new MemoryShare(upstream.answersBytes);
    this.app = app;
    this.schema = executableSchema(app, parts);
    requireAnswers(this.schema);
    this.upstream = new Upstream({
      ...upstream,
      contract: app.contract,
      sends: app.sends?.(settings as never),
      bodyLimits: { maxBytes: upstream.answerBytes, share: answers },
    });
    this.records = records;
    this.settings = settings;
    this.limits = limits;
    this.memory = new MemoryShare(limits.memoryBytes);
    this.deadlines = new Deadlines(limits.timeoutMs);
    const ofParts = parts?.flatMap(({ metrics = [] }) => metrics) ?? [];
    this.metrics = [...serviceMetrics(this.upstream, this.batches), ...ofParts];
    this.memoryUses = {
      upstream_answers: answers,
      running_operations: this.memory,
      lists: this.upstream.listCache,
      parsed_bodies: this.upstream.bodies,
    };
  }

  /** The header of the key, as messages name it. */
  get keyHeader(): string {
    return this.app.contract.data.key.header;
  }

  get callers(): Upstream['callers'] {
    return this.upstream.callers;
  }

  /** Knowledge that other gateways of the service need too. */
  get shared(): Upstream {
    return this.upstream;
  }

  /** One operation of a caller: its time, its memory, its calls, and what it loads. */
  open(caller: Caller, options?: ContextOptions): RequestContext {
    return new RequestContext(this, caller, options);
  }

  /**
   * Plans an operation, and refuses one that cannot fit before its first call. False for an operation that is not planned, and
   * for one whose estimate alone is asked for.
   * @throws BAD_USER_INPUT for a field below the root that asks for too many rows.
   * @throws QUERY_TOO_COMPLEX for more objects than are allowed.
   * @throws UPSTREAM_BUDGET_EXCEEDED for more calls than are allowed.
   */
  admit(args: ExecutionArgs, context: RequestContext): boolean {
    if (readsFresh(args.tree)) context.reader.isFresh = true;
    const plan = planOperation(args, context);
    if (!plan) return false;
    context.roots = plan.roots;
    if (context.trace) context.trace.estimate = plan.estimate;
    requireFits(plan, context.limits);
    if (context.isEstimate) return false;
    const { estimate, separate } = plan;
    // The reads after one write must leave room for the writes after it.
    if (args.operation.definition.operation === 'mutation')
      context.reader.budget.reserve(estimate.least - separate.writes);
    return true;
  }

  /**
   * The cost of an operation, before any call. Undefined for an operation that makes none.
   * @throws as `admit` does.
   */
  estimate(args: ExecutionArgs, caller: Caller): Estimate | undefined {
    const context = this.open(caller, { trace: 'estimate' });
    try {
      this.admit(args, context);
      return context.trace?.estimate;
    } finally {
      context.end();
    }
  }

  /**
   * Runs an operation, and gives its answer. With `trace: 'estimate'` it gives the estimate alone.
   * @throws as `admit` does.
   */
  async run(args: ExecutionArgs, caller: Caller, options?: ContextOptions): Promise<ExecutionResult> {
    const context = this.open(caller, options);
    try {
      this.admit(args, context);
      if (context.isEstimate) return { data: null, extensions: { ...context.extensions() } };
      await this.begin(args, context);
      const { data, errors = [] } = await execute({ ...args, contextValue: context, answer: context.answer });
      const extensions = context.extensions();
      const shown = [...errors.map((error) => context.errors.causeOf(error)), ...context.errors.list];
      return { ...(shown.length > 0 && { errors: shown }), data, ...(extensions && { extensions: { ...extensions } }) };
    } finally {
      context.end();
    }
  }

  /** @throws GraphQLError for an operation that is refused whatever its variables are. */
  requireFits(args: ExecutionArgs): void {
    const { pageSize } = this.limits;
    const usesCache = this.upstream.listCache.isEnabled;
    const plan = planRoots(args, { pageSize, usesCache }, ({ nodes: [node] }, reason) => {
      if (node && !hasVariables(node)) throw reason;
    });
    requireFits(plan, this.limits);
  }

  /** Asks the service first about a token that it has not accepted yet. */
  begin({ tree, operation }: ExecutionArgs, context: RequestContext): Promise<void> | undefined {
    if (!context.caller.isUnknown) return undefined;
    const fields = tree.fields.filter(callsService).map(({ key }) => key);
    const isMutation = operation.definition.operation === 'mutation';
    const identified = fields.length > 0 ? context.reader.identify({ isMutation }, () => fields) : Promise.resolve();
    return identified.then(() => context.renewLoaders());
  }

  close(): Promise<void> {
    return this.upstream.close();
  }
}

/** A root field says that what stands beside it may come from no earlier read. */
function readsFresh({ schema, definition, names }: FieldTree): boolean {
  const fields = schema.getRootType(definition.operation)?.getFields() ?? {};
  for (const name of names) if (fields[name]?.extensions.readsFresh) return true;
  return false;
}

/** Opens a service: its schema, and the way to it. */
export function openService(app: App, options: ServiceOptions): RestService {
  return new RestService(app, options);
}
