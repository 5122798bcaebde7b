import { toUnixSeconds } from './time.ts';

/** `spec` follows the interface specification, `connect` the newest public version of the real service. */
export type Dialect = 'spec' | 'connect';

export const basePaths: Record<Dialect, string> = { spec: '/v1', connect: '/connect/v1' };

const timeFields = new Set(['created_on', 'updated_on', 'date']);

export function successBody(dialect: Dialect, status: number, data: unknown, detail = 'Success'): string {
  return dialect === 'spec' ? JSON.stringify(data) : envelope({ success: true, detail, code: status, data });
}

/** `errors` is `{ detail }` or the errors by field. */
export function failureBody(dialect: Dialect, status: number, errors: unknown): string {
  return dialect === 'spec'
    ? JSON.stringify(errors)
    : JSON.stringify({ success: false, message: errors, detail: '', code: status, data: {} });
}

export function htmlPage(title: string): string {
  return `<!doctype html>\n<html lang="en">\n<head>\n  <title>${title}</title>\n</head>\n<body>\n  <h1>${title}</h1><p></p>\n</body>\n</html>\n`;
}

function envelope(body: object): string {
  return JSON.stringify(body, (key, value: unknown) =>
    typeof value === 'string' && timeFields.has(key) ? toUnixSeconds(value) : value,
  );
}
