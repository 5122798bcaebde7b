import { parseJson } from '@gateway/base';
import { isoFromService, DateTime as Time } from '@gateway/upstream';
import { GraphQLError, GraphQLScalarType, Kind, type ValueNode, valueFromASTUntyped, visit } from 'graphql';
import { GraphQLUpload } from 'graphql-upload-minimal';

/**
 * Values pass through as the service sends them. A value of another type is an error of its field alone. `show`: undefined for
 * such a value. `parse`: throws for input that is none.
 */
function scalar<Value>(name: string, show: (value: unknown) => string | undefined, parse: (value: unknown) => Value) {
  return new GraphQLScalarType<Value, string>({
    name,
    serialize(value) {
      const shown = show(value);
      if (shown !== undefined) return shown;
      throw new GraphQLError(`The service sent a ${typeof value} that is no ${name}.`);
    },
    parseValue: parse,
    parseLiteral: (node) => at(node, () => parse(textOf(node))),
  });
}

function parseTime(value: unknown): Time {
  const time = Time.parse(value);
  if (!time) {
    throw new GraphQLError(
      'DateTime must be ISO 8601 like "2026-03-01T08:15:30Z", or unix seconds (milliseconds are too large).',
    );
  }
  return time;
}

const calendarDate = /^(\d{4})-(\d{2})-(\d{2})$/;

function parseDate(value: unknown): string {
  const [, year, month, day] = (typeof value === 'string' && calendarDate.exec(value)) || [];
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  // A day that does not exist rolls over into the next month.
  if (!year || date.getUTCMonth() + 1 !== Number(month) || date.getUTCDate() !== Number(day)) {
    throw new GraphQLError('Date must be a calendar date like "2026-03-01".');
  }
  return value as string;
}

const decimalText = /^-?\d+(\.\d+)?$/;
/** The digits that every JSON number keeps. With more digits, the parser may have rounded the client's number. */
const safeDigits = 15;

/** Larger numbers of the service are texts, unless they have an exponent. */
function showDecimal(value: unknown): string | undefined {
  if (typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return String(value);
  return textIn(value);
}

function parseDecimal(value: unknown): string {
  if (typeof value === 'number' && isUnsafe(value)) {
    throw new GraphQLError('Decimal of this many digits must be sent as a string, or it would be rounded.');
  }
  const text = typeof value === 'number' ? String(value) : textIn(value);
  if (text !== undefined && decimalText.test(text)) return text;
  throw new GraphQLError('Decimal must be a number in plain notation, as a string or literal like "12.500".');
}

function isUnsafe(value: number): boolean {
  const digits = String(value).replace(/^-?0*\.?0*|[.-]/g, '');
  return !decimalText.test(String(value)) || digits.length > safeDigits;
}

/** The levels of a JSON value that a client may send. Far deeper ones have no room on the stack of those who read them. */
const jsonLevels = 500;

/** A variable of `JSON`, or the value of a literal. @throws GraphQLError for one that is too deep. */
export function parseJsonValue(value: unknown): unknown {
  if (someInJson(value, isTooDeep)) throw new GraphQLError(`JSON may have ${jsonLevels} levels; this has more.`);
  return value;
}

const isTooDeep = (part: unknown, level: number) => level === jsonLevels && typeof part === 'object' && part !== null;

/** The value or one inside it passes the test, which sees outer values first. `level`: how many are around the value. */
export function someInJson(value: unknown, test: (part: unknown, level: number) => boolean, level = 0): boolean {
  const hasParts = typeof value === 'object' && value !== null;
  return test(value, level) || (hasParts && Object.values(value).some((part) => someInJson(part, test, level + 1)));
}

/** A literal of `JSON`. Integers that a number rounds are texts of their digits, as in variables. */
export function parseJsonLiteral(node: ValueNode, variables?: Record<string, unknown> | null): unknown {
  const kindOf = (digits: string) => (typeof parseJson(digits) === 'string' ? Kind.STRING : Kind.INT);
  const exact = visit(node, { IntValue: (int) => ({ ...int, kind: kindOf(int.value) }) });
  return at(node, () => parseJsonValue(valueFromASTUntyped(exact, variables)));
}

/** Gives the error of a literal its place in the document. */
function at<T>(node: ValueNode, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new GraphQLError((error as Error).message, { nodes: node });
  }
}

/** Numbers in a document keep their digits: they are read as text. */
function textOf(node: ValueNode): string | undefined {
  return node.kind === Kind.STRING || node.kind === Kind.INT || node.kind === Kind.FLOAT ? node.value : undefined;
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

const Upload = new GraphQLScalarType({
  ...GraphQLUpload.toConfig(),
  parseLiteral(node) {
    const message = 'Declare a variable of the type Upload for the file, and send it in a multipart request.';
    throw new GraphQLError(message, { nodes: node });
  },
});

export const scalars = {
  DateTime: scalar('DateTime', isoFromService, parseTime),
  Date: scalar('Date', textIn, parseDate),
  Decimal: scalar('Decimal', showDecimal, parseDecimal),
  Upload,
};
